import { useMemo, useRef, useState } from 'react'
import { scansPerRequest } from '#domain/door/sending.ts'
import { cardCodeIn } from '#domain/testing/attendance.ts'
import { readAttendance, recordScans, type ScanResult } from '#domain/testing/attendance-endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import type { Device } from '#web/offline/door/device.ts'
import { hashOfCode } from '#web/offline/door/hash-of-code.ts'
import { useKeptList } from '#web/offline/door/use-kept-list.ts'
import type { QueuedItem } from '#web/offline/queue.ts'
import { useQueue } from '#web/offline/use-queue.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { type LocalScan, withWaitingScans } from './local-attendance.ts'

/** Milliseconds between reads, because other phones also record arrivals. */
const refetchPauseMs = 20_000

/** The last scan: of a participant, or of a card that is not on this device's list. */
export type LastScan = {
  id: string
  kind: LocalScan['kind']
  registrationId: string | null
  card: string | null
  /** When and on which device the participant was recorded before this scan. */
  before: { at: string; deviceName: string } | null
  /** The server's answer; null while the scan waits. */
  result: ScanResult | null
}

/**
 * Attendance that works without network: the server's list, otherwise the stored copy, plus the scans waiting in the
 * queue.
 */
export function useAttendance(sessionId: string, device: Device) {
  const { owner } = useSurroundings()
  const key = `attendance:${owner}:${sessionId}`
  const answer = useEndpoint(
    readAttendance,
    { params: { id: sessionId } },
    { quietAs: 'attendance', networkMode: 'always', refetchInterval: refetchPauseMs },
  )
  const [last, setLast] = useState<LastScan | null>(null)

  const { list, offsetMs } = useKeptList(key, answer.data?.data, answer.dataUpdatedAt)

  const send = async (items: readonly QueuedItem<LocalScan>[]) => {
    const { data } = await sendOnce(recordScans, {
      params: { id: sessionId },
      body: {
        device,
        sentAt: new Date().toISOString(),
        scans: items.map(({ id, at, data: scan }) => ({ id, at, ...scan })),
      },
    })
    setLast((present) => {
      const result = data.find(({ id }) => id === present?.id)
      return present && result ? { ...present, result } : present
    })
    await answer.refetch()
  }
  const queue = useQueue<LocalScan>({ topic: `attendance:${sessionId}`, owner, batchSize: scansPerRequest, send })
  const participants = useMemo(
    () => withWaitingScans(list?.participants ?? [], queue.items, device.name, offsetMs),
    [list, queue.items, device.name, offsetMs],
  )
  const present = useRef(participants)
  present.current = participants

  /** Records a mark for a participant. */
  async function mark(registrationId: string, kind: LocalScan['kind'], reason?: string) {
    const participant = present.current.find((candidate) => candidate.registrationId === registrationId)
    const before =
      kind === 'arrive' && participant?.arrivedAt
        ? { at: participant.arrivedAt, deviceName: participant.arrivedOn ?? '' }
        : null
    const scan = { kind, registrationId, ...(reason && { reason }) }
    const { id } = before ? { id: '' } : await queue.add(scan)
    setLast({ id, kind, registrationId, card: null, before, result: null })
  }

  /** Records what the camera read; a participant already present is not recorded again. */
  async function scanText(text: string, kind: LocalScan['kind']) {
    const card = cardCodeIn(text)
    const hash = await hashOfCode(card)
    const participant = present.current.find(({ cardHash }) => cardHash === hash)
    if (participant) return mark(participant.registrationId, kind)
    const { id } = await queue.add({ kind, card })
    setLast({ id, kind, registrationId: null, card, before: null, result: null })
  }

  /** Admits the holder of a card that is not on the list, with a reason. */
  async function force(card: string, reason: string) {
    const { id } = await queue.add({ kind: 'arrive', card, reason })
    setLast({ id, kind: 'arrive', registrationId: null, card, before: null, result: null })
  }

  return {
    list,
    participants,
    last,
    waiting: queue.items.length,
    /** Why the server refuses the waiting scans; null while there is no network. */
    refusal: queue.failure instanceof ApiError && queue.failure.status > 0 ? queue.failure : null,
    error: answer.error,
    /** When the list was read from the server, in milliseconds; null before the first answer. */
    readAt: list ? Date.parse(list.now) : null,
    isOffline: answer.isError || queue.failure !== null,
    retry: answer.refetch,
    mark,
    scanText,
    force,
  }
}
