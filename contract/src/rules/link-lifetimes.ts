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
  /** In hours: how far back from a change of address its undoing looks for what was added to sign in with. */
  beforeUndone: 24,
  /** In days: an account that nobody confirmed is deleted then. */
  unconfirmed: 30,
  /** In days. */
  invitation: 14,
} as const
