/** The lifetimes of the links in letters; the server enforces them and the letters state them. */
export const linkLifetimes = {
  /** In hours. */
  verifyEmail: 24,
  /** In minutes. */
  resetPassword: 30,
  /** In hours. */
  confirmEmail: 24,
  /** In hours. */
  undoEmail: 72,
  /**
   * In hours: undoing a change of address removes the sign-in methods that were added this long before it.
   */
  beforeUndone: 24,
  /** In days: an unconfirmed account is deleted then. */
  unconfirmed: 30,
  /** In days. */
  invitation: 14,
  /** In hours. */
  staffInvitation: 72,
} as const
