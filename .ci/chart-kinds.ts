import type { Deployment } from 'kubernetes-types/apps/v1'
import type { Job } from 'kubernetes-types/batch/v1'
import type { Service } from 'kubernetes-types/core/v1'
import type { Ingress } from 'kubernetes-types/networking/v1'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1'

/** What the chart makes, by version and kind; the texts of `.ci/chart.ts` are checked against these types. */
export type Kinds = {
  'apps/v1 Deployment': Deployment
  'batch/v1 Job': Job
  'networking.k8s.io/v1 Ingress': Ingress
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget
  'v1 Service': Service
}
