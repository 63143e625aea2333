import { m } from '../../texts/compiled/messages.js'

const meters: Partial<Record<string, () => string>> = {
  cpu_hours: m.meter_cpu_hours,
  ram_gb_hours: m.meter_ram_gb_hours,
  disk_gb_hours: m.meter_disk_gb_hours,
  traffic_gb: m.meter_traffic_gb,
  ipv4_hours: m.meter_ipv4_hours,
  backup_gb_hours: m.meter_backup_gb_hours,
  domain_days: m.meter_domain_days,
  mailbox_days: m.meter_mailbox_days,
  panel_hours: m.meter_panel_hours,
  plan_hours: m.meter_plan_hours,
}

/** The name of a meter; an operator may define others than the portal knows. */
export const meterName = (code: string): string => meters[code]?.() ?? code.replaceAll('_', ' ')
