import { fillInboxes } from '#server/modules/campaigns/claim/claim.ts'
import { finishDone, startDue } from '#server/modules/campaigns/claim/lifecycle.ts'
import { onMessages } from '#server/modules/messaging/handovers/wake.ts'
import type { Services } from '#server/platform/services.ts'
import { createLane, type LaneParts } from './lane.ts'
import { mailLane } from './mail-lane.ts'
import { readPulse } from './pulse.ts'
import { giveUpOld, settleLeases } from './settle-leases.ts'
import { whatsappLane } from './whatsapp-lane.ts'

const pulseMs = 500
/** Interval of an idle process: half a second is half of what an idle server costs. */
const idlePulseMs = 2_000
/** How long nothing may be due before a process counts as idle. */
const idleAfterMs = 60_000
/** Interval between searches for messages to give up. */
const giveUpMs = 60_000
const inboxesAtOnce = 500
/** How long a stopping process waits for calls under way. */
const patienceMs = 15_000

/** Inboxes of campaign recipients. Other inbox messages are written by the code that creates them. */
const inboxLane: LaneParts = {
  channel: 'inbox',
  prepare: async () => ({ workers: inboxesAtOnce }),
  claim: fillInboxes,
  call: async () => ({ kind: 'unknown' }),
}

const partsOf = (services: Services) => [mailLane(services), whatsappLane(services), inboxLane]

/** Work besides the lanes, which the pulse calls for. */
type Duty = (services: Services) => Promise<unknown>

/** Sends messages and campaigns in this process until stopped. Any number of processes may send from one database. */
export function startSending(services: Services) {
  const { log } = services
  const stopping = new AbortController()
  const { signal } = stopping
  const lanes: ReturnType<typeof createLane>[] = []
  const running: Promise<void>[] = []
  const connections = new Set<string>()
  const underWay = new Map<Duty, Promise<unknown>>()
  let endSleep = () => {}
  let gaveUpAtMs = Number.NEGATIVE_INFINITY
  let lastDueAtMs = performance.now()
  const open = (parts: LaneParts) => {
    const lane = createLane(services, parts, signal)
    lanes.push(lane)
    running.push(lane.run())
  }
  /** Begins a duty unless it is under way. One that fails, or waits for a lock, holds up neither lanes nor other duties. */
  function begin(duty: Duty) {
    if (underWay.has(duty)) return
    const work = duty(services)
      .catch((error) => log.error({ err: error, duty: duty.name }, 'sending was not looked after'))
      .then(() => underWay.delete(duty))
    underWay.set(duty, work)
  }
  async function lookAfter() {
    const { channels, connectionIds, ...pulse } = await readPulse(services)
    for (const id of connectionIds) {
      if (connections.has(id)) continue
      connections.add(id)
      open(whatsappLane(services, id))
    }
    if (channels.length > 0 || pulse.hasScheduledCampaign || pulse.hasExpiredLease || pulse.hasDoneCampaign)
      lastDueAtMs = performance.now()
    for (const lane of lanes) if (channels.includes(lane.channel)) lane.wake()
    if (pulse.hasScheduledCampaign) begin(startDue)
    if (pulse.hasExpiredLease) begin(settleLeases)
    if (performance.now() - gaveUpAtMs > giveUpMs) {
      gaveUpAtMs = performance.now()
      begin(giveUpOld)
    }
    if (pulse.hasDoneCampaign) begin(finishDone)
  }
  async function beat() {
    while (!signal.aborted) {
      await lookAfter().catch((error) => log.error({ err: error }, 'sending was not looked after'))
      if (signal.aborted) return
      await new Promise<void>((resolve) => {
        const isIdle = performance.now() - lastDueAtMs > idleAfterMs
        const timer = setTimeout(resolve, isIdle ? idlePulseMs : pulseMs)
        endSleep = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const wakeAll = () => {
    lastDueAtMs = performance.now()
    for (const lane of lanes) lane.wake()
  }
  const forget = onMessages(services, wakeAll)
  for (const parts of partsOf(services)) open(parts)
  const beating = beat()
  return {
    async stop() {
      stopping.abort()
      forget()
      endSleep()
      wakeAll()
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        beating.then(() => Promise.all([...running, ...underWay.values()])),
        new Promise((resolve) => {
          timer = setTimeout(resolve, patienceMs)
        }),
      ])
      clearTimeout(timer)
    },
  }
}

/** Sends what is due now. For tests, whose clock does not advance, and for trials. */
export async function sendDue(services: Services, signal = new AbortController().signal) {
  const bound = (await readPulse(services)).connectionIds.map((id) => whatsappLane(services, id))
  const lanes = [...partsOf(services), ...bound].map((parts) => createLane(services, parts, signal))
  await settleLeases(services)
  await giveUpOld(services)
  await startDue(services)
  // A recipient whose message failed may be due on another lane at once, so the lanes run three times.
  for (let round = 0; round < 3; round++) for (const lane of lanes) await lane.run({ untilIdle: true })
  await finishDone(services)
}
