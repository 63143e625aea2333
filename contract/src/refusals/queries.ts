import { declare } from './refusal.ts'

/** Faults of query parameters. */
export const queryRefusals = declare({
  parameter_unknown: [
    400,
    '{name} is not a parameter of this call.',
    '{name} nu este un parametru al acestui apel.',
  ],
  parameter_repeated: [400, '{name} appears more than once.', '{name} apare de mai multe ori.'],
  parameter_encoding: [400, 'Not a valid percent-encoding.', 'Codificarea cu procente nu este validă.'],
  parameter_null: [400, 'Contains a null character.', 'Conține un caracter nul.'],
  parameter_surrogate: [
    400,
    'Contains half a surrogate pair.',
    'Conține doar o jumătate dintr-o pereche de surogate.',
  ],
  parameter_invalid: [
    400,
    'A value in the query cannot be searched for.',
    'O valoare din interogare nu poate fi căutată.',
  ],
  payload_twice: [
    400,
    'Send the payload as JSON or in brackets, not as both.',
    'Trimite datele ca JSON sau între paranteze drepte, nu în ambele feluri.',
  ],
  page_number_invalid: [
    400,
    'Expected a whole number from 1 to {most}.',
    'Valoarea trebuie să fie un număr întreg de la 1 la {most}.',
  ],
  ids_most: [400, 'At most {most} ids.', 'Cel mult {most} id-uri.'],
  type_unknown: [400, 'There is no type {type}.', 'Nu există tipul {type}.'],
  fieldset_unknown: [400, '{type} has no field {name}.', '{type} nu are câmpul {name}.'],
  sort_unknown: [400, '{type} cannot be sorted by {name}.', '{type} nu se poate sorta după {name}.'],
  sort_twice: [400, 'A field is listed twice.', 'Un câmp apare de două ori.'],
  filter_unknown: [400, '{type} cannot be filtered by {name}.', '{type} nu se poate filtra după {name}.'],
  include_unknown: [400, '{type} has no relationship {name}.', '{type} nu are relația {name}.'],
  include_too_deep: [
    400,
    '{path} is deeper than {most} relationships.',
    '{path} are mai mult de {most} relații.',
  ],
  include_paths_most: [400, 'At most {most} paths can be included.', 'Se pot include cel mult {most} căi.'],
  include_too_many: [
    400,
    'More than {most} related {type}; read them page by page.',
    'Mai mult de {most} {type} asociate; citește-le pagină cu pagină.',
  ],
  field_hidden: [
    400,
    'You cannot read this field on every resource in the list.',
    'Nu poți citi acest câmp la toate resursele din listă.',
  ],
})
