const chosen = {
  billing: 'denied',
  tickets: 'denied',
  my_workspaces: 'allowed',
  add_panels: 'denied',
  delete_panels: 'denied',
  workspace_resources: 'all',
  account_access: 'all',
  domain_access: 'all',
  create_domains: 'denied',
  create_email: 'denied',
  create_dev_env: 'denied',
} as const

/** The permissions of an invitation in which nothing was chosen. They stand apart from the schemas, which are large. */
export const defaultPermissions = { ...chosen, workspaces: [], domains: [] }
