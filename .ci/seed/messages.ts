import type { RefusalCode } from '@portico/contract/refusals/index.ts'

/**
 * The required messages, word for word. Where the requirements spell one in two ways, the one in use.
 * `refusal`: its code, where the server sends it. The constants include the message of the country look-up.
 */
export const messages: readonly { text: string; refusal?: RefusalCode }[] = [
  { text: 'Update {type} error' },
  { text: 'An error has occured' },
  { text: 'Call cancelled' },
  { text: 'Success!' },
  { text: 'Invitation accepted successfully!' },
  { text: 'Invitation not accepted' },
  {
    text: "It looks like you're trying to access the panel with a different email than the one we invited. Please ensure that you are logged in using the email address where you received the invitation: {email}.",
  },
  { text: 'Error!' },
  { text: 'An error has occured while loading data' },
  { text: 'Load error' },
  { text: 'The email was successfully sent to {name}!' },
  { text: 'An error occurred!' },
  { text: 'Are you sure you want to delete invitation for {name}?' },
  { text: 'Delete' },
  { text: 'Invitation deleted successfully!' },
  { text: 'Error' },
  { text: 'An error occurred' },
  { text: 'Project created' },
  { text: 'Your project has been saved' },
  { text: 'Please select a workspace!' },
  { text: 'Project name is required', refusal: 'project_name_required' },
]
