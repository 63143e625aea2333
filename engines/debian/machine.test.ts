import { expect, test } from 'vitest'
import { disksIn } from './machine.ts'

test('of the groups of btrfs those of servers are read, by project and name', () => {
  const text = `Qgroupid    Referenced    Exclusive   Path
--------    ----------    ---------   ----
0/5              16384        16384   <toplevel>
0/256          2146304       147456   images/7bd23d556bcf484937ba14e505b4cbef11ca1b821d5b4ba52b779ca722fca950
0/257          2150400       151552   containers/portico-7_web-1
0/258          4096          4096     containers/portico-8_cluster-1-2 \n`
  expect([...disksIn(text)]).toEqual([
    ['portico-7/web-1', 2_150_400],
    ['portico-8/cluster-1-2', 4096],
  ])
})
