(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '((typescript-mode typescript-ts-mode tsx-ts-mode) . ("effx" "lsp"))))
