import { accessFaults } from './access.ts'
import type { Fault } from './fault.ts'
import { moneyFaults } from './money.ts'
import { platformFaults } from './platform.ts'
import { processFaults } from './process.ts'

export const faults: readonly Fault[] = [...accessFaults, ...moneyFaults, ...processFaults, ...platformFaults]
