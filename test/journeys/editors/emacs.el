;;; One editing session in Emacs with eglot, flymake and the set-up of docs/editors.md.  -*- lexical-binding: t -*-

(require 'package)
(package-initialize)
(load (expand-file-name "emacs-setup.el" (getenv "JOURNEY_SETUP")) nil t)
(require 'eglot)

;; Emacs 28 brings no mode for TypeScript.
(define-derived-mode typescript-mode prog-mode "TypeScript")
(add-to-list 'auto-mode-alist '("\\.ts\\'" . typescript-mode))
(setq eglot-autoshutdown nil
      eglot-sync-connect 20
      eglot-send-changes-idle-time 0
      flymake-no-changes-timeout nil)

(defvar journey-patience 20)

(defun journey-await (what holds)
  (with-timeout (journey-patience (message "waited in vain: %s" what) (kill-emacs 1))
    (while (not (funcall holds))
      (when flymake-mode (flymake-start))
      (accept-process-output nil 0.01))))

(defun journey-codes ()
  (mapcar (lambda (found)
            (save-excursion
              (goto-char (flymake-diagnostic-beg found))
              (format "%s at %d:%d" (flymake-diagnostic-text found) (line-number-at-pos) (1+ (current-column)))))
          (flymake-diagnostics)))

;; Without version control, the folder that is given is the project.
(let ((root (file-name-as-directory (getenv "JOURNEY_ROOT"))))
  (setq project-find-functions (list (lambda (_) (cons 'transient root)))))

(find-file (getenv "JOURNEY_FILE"))
(apply #'eglot--connect (eglot--guess-contact))
(journey-await "the server to manage the buffer" #'eglot-managed-p)
(goto-char (point-min))
(search-forward "@Errors(UserNotFound")
(delete-region (- (point) (length "UserNotFound")) (point))
(eglot--signal-textDocument/didChange)
(journey-await "the finding" #'flymake-diagnostics)
(dolist (shown (journey-codes)) (message "shows %s" shown))
(insert "UserNotFound")
(eglot--signal-textDocument/didChange)
(journey-await "no finding" (lambda () (null (flymake-diagnostics))))
(message "repaired")
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
(message "stopped")
