/** Where outputs that are not generated code go, below the tsconfig's folder. */
export const STATE_FOLDER = ".effx"
