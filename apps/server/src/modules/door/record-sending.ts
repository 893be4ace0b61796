import { attendanceOf, countsAsAttendance, type ScanKind, serverTimeOf } from '#domain/door/attendance.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { type CountedScan, countedScans, type DoorKind, storedScans } from './stored-scans.ts'

type Scan = { id: string; kind: ScanKind; at: string }
type Sending<S> = { device: { id: string; name: string }; sentAt: string; scans: readonly S[] }

/** A scan that is recorded now, with the columns that both tables of scans have. */
export type NewScan<S, Outcome> = {
  scan: S
  personId: string | null
  columns: {
    id: string
    kind: S extends { kind: infer Kind } ? Kind : never
    outcome: Outcome
    at: Date
    deviceAt: Date
    deviceId: string
    deviceName: string
    receivedAt: Date
    scannedBy: string | null
  }
}

/** People with scans that were recorded now and count, with all their counted scans in the session. */
export type Changed<S, Outcome> = { added: readonly NewScan<S, Outcome>[]; counted: ReadonlyMap<string, CountedScan[]> }

/** A session at whose door people are scanned: what differs between events and tests. */
export type Door<S extends Scan, Person, Outcome extends string> = {
  kind: DoorKind
  sessionId: string
  /** Scans with earlier times, from a device whose clock was changed, count from here. */
  opensAt: Date
  /** Person ids by scan id; a scan of nobody the actor may see is left out. */
  findPeople: (context: Context, scans: readonly S[]) => Promise<ReadonlyMap<string, string>>
  /** Locks the people in the order of `ids` and reads them, by id. */
  lockPeople: (context: Context, ids: readonly string[], scans: readonly S[]) => Promise<ReadonlyMap<string, Person>>
  judge: (context: Context, person: Person | undefined, scan: S, isIn: boolean) => Promise<Outcome> | Outcome
  store: (tx: Tx, added: readonly NewScan<S, Outcome>[]) => Promise<unknown>
  /** Derives from the counted scans of these people whether they came. */
  settle: (context: Context, people: ReadonlyMap<string, Person>, changed: Changed<S, Outcome>) => Promise<unknown>
}

/** Outcome of a scan; `first` is the arrival that a repeated scan repeats. */
export type Recorded<Person, Outcome> = {
  id: string
  outcome: Outcome
  personId: string | null
  person: Person | undefined
  first: CountedScan | null
}

/**
 * Records a device's scans in one transaction and answers each. A scan recorded before keeps its first outcome; 409 if
 * it belongs to another session or to a person the actor may not see.
 */
export function recordSending<S extends Scan, Person, Outcome extends string>(
  services: Services,
  actor: Actor,
  door: Door<S, Person, Outcome>,
  { device, sentAt, scans, receivedAt }: Sending<S> & { receivedAt: Date },
): Promise<Recorded<Person, Outcome>[]> {
  return inTransaction(services, actor, async (transaction) => {
    const context = { ...transaction, now: receivedAt }
    const { tx } = context
    const found = await door.findPeople(context, scans)
    // In id order, so that devices sending the same people in different orders cannot deadlock.
    const people = await door.lockPeople(context, [...new Set(found.values())].sort(), scans)
    const counted = await countedScans(tx, door.kind, door.sessionId, [...people.keys()])
    const outcomes = await knownOutcomes(tx, door, scans, people)
    const added: NewScan<S, Outcome>[] = []
    for (const scan of scans) {
      if (outcomes.has(scan.id)) continue
      const personId = found.get(scan.id) ?? null
      const earlier = (personId && counted.get(personId)) || []
      const isIn = attendanceOf(earlier).arrivedAt !== null
      const outcome = await door.judge(context, people.get(personId ?? ''), scan, isIn)
      const scannedAt = serverTimeOf(new Date(scan.at), new Date(sentAt), receivedAt)
      const columns = {
        id: scan.id,
        kind: scan.kind as NewScan<S, Outcome>['columns']['kind'],
        outcome,
        at: new Date(Math.max(scannedAt.getTime(), door.opensAt.getTime())),
        deviceAt: new Date(scan.at),
        deviceId: device.id,
        deviceName: device.name,
        receivedAt,
        scannedBy: actor.accountId || null,
      }
      outcomes.set(scan.id, { personId, outcome })
      added.push({ scan, personId, columns })
      if (personId && countsAsAttendance(outcome)) counted.set(personId, [...earlier, { ...columns, kind: scan.kind }])
    }
    if (added.length > 0) {
      // In id order, so that unknown codes sent twice at once, which lock nobody, cannot deadlock.
      await door.store(
        tx,
        added.toSorted((a, b) => a.scan.id.localeCompare(b.scan.id)),
      )
      const counting = added.filter(({ columns: { outcome } }) => countsAsAttendance(outcome))
      await door.settle(context, people, { added: counting, counted })
    }
    return scans.map(({ id }) => {
      const { personId, outcome } = outcomes.get(id)!
      const first = outcome === 'repeated' ? firstArrival(counted.get(personId ?? '') ?? [], id) : null
      return { id, outcome, personId, person: people.get(personId ?? ''), first }
    })
  })
}

async function knownOutcomes<S extends Scan, Person, Outcome extends string>(
  tx: Tx,
  { kind, sessionId }: Door<S, Person, Outcome>,
  scans: readonly S[],
  people: ReadonlyMap<string, Person>,
) {
  const ids = scans.map(({ id }) => id)
  const known = await storedScans(tx, kind, ids)
  if (known.some((scan) => scan.sessionId !== sessionId || (scan.personId && !people.has(scan.personId))))
    throw conflict('scan_of_other_session')
  return new Map(known.map(({ id, personId, outcome }) => [id, { personId, outcome: outcome as Outcome }]))
}

const firstArrival = (scans: readonly CountedScan[], exceptId: string) =>
  scans
    .filter(({ id, kind }) => kind === 'arrive' && id !== exceptId)
    .reduce<CountedScan | null>((first, scan) => (first && first.at <= scan.at ? first : scan), null)
