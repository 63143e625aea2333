import { clients } from '@portico/contract/resources/clients.ts'
import { serve } from '../jsonapi/serve.ts'
import { chooseProject, negativeDays } from '../services/clients.ts'

export default serve(clients, {
  table: 'clients',
  visible: (eb, actor) => eb('clients.id', '=', actor.id),
  account: 'id',
  relationships: {
    clientEntity: { inverse: 'client_id' },
    accountBalance: { inverse: 'client_id' },
    billingProfile: { inverse: 'client_id' },
    currentProject: 'current_project_id',
    currency: 'currency_id',
    projects: { foreignKey: 'client_id' },
    panels: { foreignKey: 'client_id' },
  },
  constraints: {
    clients_language_id_fkey: { field: 'language_id', detail: 'There is no such language.' },
  },
  actions: {
    updateCurrentProject: (context, { row, input }) => chooseProject(context, row, input.current_project_id),
    checkNegativeNumberOfDays: async (context, { row }) => ({ days: await negativeDays(context, row.id) }),
  },
})
