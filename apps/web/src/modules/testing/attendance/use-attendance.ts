import { useMemo, useRef } from 'react'
import { cardCodeIn } from '#domain/testing/attendance.ts'
import {
  type AttendanceList,
  readAttendance,
  recordScans,
  type ScanResult,
} from '#domain/testing/attendance-endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import type { Device } from '#web/modules/door/device.ts'
import { hashOfCode } from '#web/modules/door/hash-of-code.ts'
import { doorReading, type LastScan, toSending, useDoor } from '#web/modules/door/use-door.ts'
import { type LocalScan, withWaitingScans } from './local-attendance.ts'

/** What was recorded; whether it counts also depends on the list and on the server's answer. */
export type LastMark = LastScan<LocalScan['kind'], ScanResult>

/** State of the attendance page, also offline: the server's list or the stored copy, with the waiting scans. */
export function useAttendance(sessionId: string, device: Device) {
  const answer = useEndpoint(readAttendance, { params: { id: sessionId } }, doorReading)
  const door = useDoor<AttendanceList, LocalScan, ScanResult, LocalScan['kind']>({
    kind: 'attendance',
    id: sessionId,
    answer,
    send: async (items) =>
      (await sendOnce(recordScans, { params: { id: sessionId }, body: toSending(device, items) })).data,
  })
  const { list, offsetMs, items } = door
  const participants = useMemo(
    () => withWaitingScans(list?.participants ?? [], items, device.name, offsetMs),
    [list, items, device.name, offsetMs],
  )
  const present = useRef(participants)
  present.current = participants

  /** Records a mark for a participant; an arrival only once. */
  async function mark(registrationId: string, kind: LocalScan['kind'], reason?: string) {
    const participant = present.current.find((candidate) => candidate.registrationId === registrationId)
    const judged = { said: kind, personId: registrationId }
    if (kind === 'arrive' && participant?.arrivedAt)
      return door.show({ ...judged, before: { at: participant.arrivedAt, deviceName: participant.arrivedOn ?? '' } })
    await door.record({ kind, registrationId, ...(reason && { reason }) }, judged)
  }

  /** Records what the camera read. */
  async function scanText(text: string, kind: LocalScan['kind']) {
    const card = cardCodeIn(text)
    const hash = await hashOfCode(card)
    const participant = present.current.find(({ cardHash }) => cardHash === hash)
    if (participant) return mark(participant.registrationId, kind)
    await door.record({ kind, card }, { said: kind, code: card })
  }

  return {
    ...door,
    participants,
    mark,
    scanText,
    /** Admits the holder of a card that is not on the list, with a reason. */
    force: (card: string, reason: string) =>
      door.record({ kind: 'arrive', card, reason }, { said: 'arrive', code: card }),
    /** Marks all of them absent, without a verdict on each. */
    markAbsent: async (registrationIds: readonly string[]) => {
      for (const registrationId of registrationIds) await door.add({ kind: 'absent', registrationId })
    },
  }
}
