/** The common binding of servers, clusters and domains. */
export const panelResource = {
  account: 'client_id',
  accountOf: { panel_id: 'panels', project_id: 'projects' },
  relationships: { panel: 'panel_id' },
  filters: { client_id: 'client_id', panel_id: 'panel_id', project_id: 'project_id', status: 'status' },
  order: 'name',
} as const
