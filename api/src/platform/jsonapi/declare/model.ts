import { aliases, type Relationship, type Resource, type Schema } from '@portico/contract/jsonapi.ts'
import { base } from '@portico/contract/wire.ts'
import { mostGraded, type Policy, type Rule } from './policy.ts'
import type { Served } from './served.ts'

/**
 * How an attribute is rendered: `number` for a value that PostgreSQL returns as text but JSON shows as a
 * number.
 */
export type AttributeModel = { readonly name: string; readonly key: string; readonly numeric: boolean }

/**
 * A relationship with its target resolved. `via` says which row holds the foreign key: this one or the other.
 */
export type RelationModel = {
  readonly name: string
  readonly kind: Relationship['kind']
  readonly target: Model
  readonly via: 'own' | 'foreign'
  readonly column: string
  readonly nullable: boolean
}

/** A served type prepared for the engine: names are resolved once, so that a request only walks arrays. */
export type Model = {
  readonly name: string
  readonly path: string
  readonly contract: Resource
  readonly binding: Served['binding']
  readonly lookup: boolean
  readonly attributes: readonly AttributeModel[]
  readonly relations: ReadonlyMap<string, RelationModel>
  /** The kind of id in each foreign key column that points at this type. */
  readonly parentKeys: Map<string, Resource['id']>
  /** Names of the attributes that SQL computes. */
  readonly computed: readonly string[]
  /** Verbs and abilities that `meta.may` shows. */
  readonly verbs: readonly string[]
  /** Every rule about a row, by verb or ability. */
  readonly rules: ReadonlyMap<string, Rule>
  /** The bit of each rule in a row's grade, for rules that only the database can evaluate. */
  readonly bits: ReadonlyMap<string, number>
  /** The fields that readers of a partly visible row see; absent where every reader sees the whole row. */
  readonly partial: ReadonlySet<string> | undefined
  readonly column: (attribute: string) => string | undefined
}

/** Unwraps nullable and optional to find the type of a value. */
function isNumber(schema: Schema): boolean {
  const { def } = schema._zod
  if ('innerType' in def) return isNumber(def.innerType as Schema) // zod's base definition does not name the wrappers' member.
  return def.type === 'number'
}

// The wire names of the two time stamps differ from the columns; older clients still send the column names.
const stamps = new Map(Object.entries(aliases).map(([column, attribute]) => [attribute, column]))

function columnOf(served: Served, attribute: string): string | undefined {
  const mapped = served.binding.columns[attribute]
  if (mapped === undefined) return stamps.get(attribute) ?? attribute
  return typeof mapped === 'string' ? mapped : undefined
}

function attributesOf(served: Served): AttributeModel[] {
  return Object.entries(served.contract.attributes).map(([name, schema]) => ({
    name,
    key: columnOf(served, name) ?? name,
    numeric: isNumber(schema),
  }))
}

function relationOf(name: string, declared: Relationship, served: Served, target: Model): RelationModel {
  const link = served.binding.relationships[name]
  if (link === undefined) throw new Error(`${served.contract.type}.${name} has no server binding`)
  const nullable = declared.kind === 'to-many' || declared.nullable
  const shared = { name, kind: declared.kind, target, nullable }
  if (typeof link === 'string') return { ...shared, via: 'own', column: link }
  return { ...shared, via: 'foreign', column: 'inverse' in link ? link.inverse : link.foreignKey }
}

/** Keys, among the rules, of the rule for reading the whole row and of the rule for changing a field. */
export const whole = 'whole of a row'
export const changing = (field: string): string => `change of ${field}`

function rulesOf({ verbs, part, change = {} }: Policy): Map<string, Rule> {
  const rules = new Map<string, Rule>()
  for (const [verb, rule] of Object.entries(verbs)) if (rule) rules.set(verb, rule)
  for (const [field, rule] of Object.entries(change)) rules.set(changing(field), rule)
  if (part) rules.set(whole, part.whole)
  return rules
}

/** Refuses to start when a verb or field that the contract offers has no rule. */
function assertGoverned({ contract, binding }: Served): void {
  const { policy } = binding
  if (policy?.read === undefined)
    throw new Error(`${contract.type} has no policy, so its readers are undefined`)
  const offered = [
    ...(contract.update.length > 0 ? ['update'] : []),
    ...(contract.delete ? ['delete'] : []),
    ...contract.abilities,
    ...Object.keys(contract.actions),
  ]
  const missing = offered.filter((verb) => policy.verbs[verb] === undefined)
  if (contract.create.length > 0 && policy.create === undefined) missing.unshift('create')
  if (missing.length > 0) throw new Error(`The policy of ${contract.type} lacks ${missing.join(', ')}`)
  for (const rule of [policy.read, ...rulesOf(policy).values()])
    if (rule.table !== undefined && rule.table !== binding.table)
      throw new Error(`The policy of ${contract.type} is about ${rule.table}, not ${binding.table}`)
}

function modelOf(served: Served, relations: Map<string, RelationModel>): Model {
  assertGoverned(served)
  const { contract, binding, lookup } = served
  const actions = Object.entries(contract.actions).filter(([, action]) => action.on === 'one')
  const rules = rulesOf(binding.policy)
  const asked = [...rules].filter(([, rule]) => rule.shared !== undefined || rule.staff !== undefined)
  if (asked.length > mostGraded) throw new Error(`${contract.type} has more than ${mostGraded} rules`)
  return {
    name: contract.type,
    path: `${base}/${contract.type}`,
    contract,
    binding,
    lookup,
    attributes: attributesOf(served),
    relations,
    parentKeys: new Map(),
    computed: Object.keys(binding.columns).filter((name) => typeof binding.columns[name] === 'function'),
    verbs: [
      ...(contract.update.length > 0 ? ['update'] : []),
      ...(contract.delete ? ['delete'] : []),
      ...contract.abilities,
      ...actions.map(([name]) => name),
    ],
    rules,
    bits: new Map(asked.map(([name], bit) => [name, bit])),
    partial: binding.policy.part && new Set(binding.policy.part.fields),
    column: (attribute) => columnOf(served, attribute),
  }
}

/** Every served type, by name. */
export type Models = ReadonlyMap<string, Model>

/** The model of a type by its name. Throws when the type is not served. */
export function modelNamed(models: Models, type: string): Model {
  const model = models.get(type)
  if (model === undefined) throw new Error(`${type} is not served`)
  return model
}

/** Prepares every served type. Throws at start when a relationship targets a type that is not served. */
export function modelsOf(all: readonly Served[]): Models {
  const models = new Map<string, Model>()
  const relations = new Map<string, Map<string, RelationModel>>()
  for (const served of all) {
    const own = new Map<string, RelationModel>()
    relations.set(served.contract.type, own)
    models.set(served.contract.type, modelOf(served, own))
  }
  for (const served of all) {
    for (const [name, declared] of Object.entries(served.contract.relationships)) {
      const target = models.get(declared.type)
      if (!target)
        throw new Error(`${served.contract.type}.${name} points to ${declared.type}, which is not served`)
      const relation = relationOf(name, declared, served, target)
      relations.get(served.contract.type)?.set(name, relation)
      if (relation.via === 'foreign') target.parentKeys.set(relation.column, served.contract.id)
      // A reference list is cached for everyone together with its included rows.
      if (served.lookup && !target.lookup)
        throw new Error(`${served.contract.type}.${name}: a reference type may only point to reference types`)
    }
  }
  return models
}

/** Converts the id of a path or document to its database value; undefined when no row can have it. */
export function parseId(model: Model, text: string): number | string | undefined {
  if (model.contract.id === 'text') return /^[0-9A-Za-z_-]{1,64}$/.test(text) ? text : undefined
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined
}
