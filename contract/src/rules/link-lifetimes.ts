/** For how long the link of a letter works; the server keeps to it and the letter says so. */
export const linkLifetimes = {
  /** In hours. */
  verifyEmail: 24,
  /** In minutes. */
  resetPassword: 30,
  /** In hours. */
  confirmEmail: 24,
  /** In hours. */
  undoEmail: 72,
  /** In days. */
  invitation: 14,
} as const
