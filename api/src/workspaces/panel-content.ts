/** The server half that servers, clusters and domains share. */
export const panelResource = {
  account: 'client_id',
  accountOf: { panel_id: 'panels', project_id: 'projects' },
  relationships: { panel: 'panel_id' },
  filters: { client_id: 'client_id', panel_id: 'panel_id', project_id: 'project_id', status: 'status' },
  order: 'name',
} as const
