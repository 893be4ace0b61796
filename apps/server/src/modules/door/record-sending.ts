import { attendanceOf, countsAsAttendance, type ScanKind, serverTimeOf } from '#domain/door/attendance.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { type CountedScan, countedScans, type DoorKind, findScans, storeScans } from './stored-scans.ts'

type Scan = { id: string; kind: ScanKind; at: string }
type Sending<S> = { device: { id: string; name: string }; sentAt: string; scans: readonly S[] }

/** Whom a scan names: a code that is genuine, or an id. */
type Named = { code?: string | undefined; id?: string | undefined }
export type NewScan<S, Outcome> = { scan: S; personId: string | null; outcome: Outcome; at: Date }

/** A session at whose door people are scanned: what differs between events and tests. */
export type Door<S extends Scan, Person, Outcome extends string> = {
  kind: DoorKind
  sessionId: string
  /** Scans with earlier times, from a device whose clock was changed, count from here. */
  opensAt: Date
  nameOf: (context: Context, scan: S) => Promise<Named> | Named
  /** People with these codes or ids, as far as the actor may see them. */
  findPeople: (context: Context, codes: string[], ids: string[]) => Promise<readonly { id: string; code: string }[]>
  /** Locks the people in the order of `ids` and reads them, by id. */
  lockPeople: (context: Context, ids: readonly string[], scans: readonly S[]) => Promise<ReadonlyMap<string, Person>>
  judge: (context: Context, person: Person | undefined, scan: S, isIn: boolean) => Promise<Outcome> | Outcome
  /** Columns that only this door's table of scans has. */
  columnsOf: (scan: S, personId: string | null) => Record<string, unknown>
  /** Derives whether the people of new counted scans came, from all their counted scans in the session. */
  settle: (
    context: Context,
    added: readonly (NewScan<S, Outcome> & { personId: string; person: Person })[],
    counted: ReadonlyMap<string, CountedScan[]>,
  ) => Promise<unknown>
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
    const found = await personIdsOf(context, door, scans)
    // In id order, so that devices sending the same people in different orders cannot deadlock.
    const people = await door.lockPeople(context, [...new Set(found.values())].sort(), scans)
    const counted = await countedScans(tx, door.kind, door.sessionId, [...people.keys()])
    // Read under the locks: the same sending may have been recorded since its people were looked up.
    const outcomes = await knownOutcomes(tx, door, scans, people)
    const added: NewScan<S, Outcome>[] = []
    for (const [index, scan] of scans.entries()) {
      if (outcomes.has(scan.id)) continue
      const personId = found.get(scan.id) ?? null
      const earlier = counted.get(personId ?? '') ?? []
      const isIn = attendanceOf(earlier).arrivedAt !== null
      const outcome = await door.judge(context, people.get(personId ?? ''), scan, isIn)
      const at = timeAtDoor(scan, {
        ...{ sentAt, receivedAt, opensAt: door.opensAt, later: scans.length - 1 - index },
        earlier: earlier.filter(({ deviceId }) => deviceId === device.id),
      })
      outcomes.set(scan.id, { personId, outcome })
      added.push({ scan, personId, outcome, at })
      if (personId && countsAsAttendance(outcome))
        counted.set(personId, [
          ...earlier,
          { id: scan.id, kind: scan.kind, at, deviceId: device.id, deviceName: device.name },
        ])
    }
    const rows = added.map(({ scan, personId, outcome, at }) => ({
      ...door.columnsOf(scan, personId),
      id: scan.id,
      kind: scan.kind,
      outcome,
      at,
      deviceAt: new Date(scan.at),
      deviceId: device.id,
      deviceName: device.name,
      receivedAt,
      scannedBy: actor.accountId || null,
    }))
    // In id order, so that unknown codes sent twice at once, which lock nobody, cannot deadlock.
    if (rows.length > 0)
      await storeScans(
        tx,
        door.kind,
        rows.toSorted((a, b) => a.id.localeCompare(b.id)),
      )
    const counting = added.flatMap((scan) => {
      const person = countsAsAttendance(scan.outcome) && people.get(scan.personId ?? '')
      return person ? [{ ...scan, personId: scan.personId!, person }] : []
    })
    if (counting.length > 0) await door.settle(context, counting, counted)
    return scans.map(({ id }) => {
      const { personId, outcome } = outcomes.get(id)!
      const first = outcome === 'repeated' ? firstArrival(counted.get(personId ?? '') ?? [], id) : null
      return { id, outcome, personId, person: people.get(personId ?? ''), first }
    })
  })
}

type Placing = { sentAt: string; receivedAt: Date; opensAt: Date; earlier: readonly CountedScan[]; later: number }

/**
 * Time of a scan by the server's clock. If a device clock changed meanwhile puts the scan before the opening or after
 * now, it gets a millisecond after the device's `earlier` scans of the person and before the `later` ones of the
 * sending: a cancellation removes the scans up to its time.
 */
function timeAtDoor(scan: Scan, { sentAt, receivedAt, opensAt, earlier, later }: Placing) {
  const scannedAt = serverTimeOf(new Date(scan.at), new Date(sentAt), receivedAt)
  const isAfterNow = Date.parse(scan.at) > Date.parse(sentAt)
  if (scannedAt >= opensAt && !isAfterNow) return scannedAt
  const earliestMs = Math.max(opensAt.getTime(), ...earlier.map(({ at }) => at.getTime() + 1))
  const orderedMs = isAfterNow ? Math.max(earliestMs, receivedAt.getTime() - later) : earliestMs
  return new Date(Math.min(orderedMs, receivedAt.getTime()))
}

/**
 * Person ids by scan id; a scan of nobody the actor may see is left out. A stored scan keeps its person, whose code or
 * registration may have changed since.
 */
async function personIdsOf<S extends Scan, Person, Outcome extends string>(
  context: Context,
  door: Door<S, Person, Outcome>,
  scans: readonly S[],
) {
  const stored = await findScans(
    context.tx,
    door.kind,
    scans.map(({ id }) => id),
  )
  const names = new Map<string, Named>(stored.map(({ id, personId }) => [id, { id: personId ?? undefined }]))
  for (const scan of scans) if (!names.has(scan.id)) names.set(scan.id, await door.nameOf(context, scan))
  const namesOf = (key: keyof Named) => [...names.values()].flatMap((name) => name[key] ?? [])
  const people = await door.findPeople(context, namesOf('code'), namesOf('id'))
  const idOf = new Map(people.flatMap(({ id, code }) => [[id, id] as const, [code, id] as const]))
  return new Map(
    [...names].flatMap(([scanId, { code, id }]) => {
      const found = idOf.get(code ?? id ?? '')
      return found ? [[scanId, found] as const] : []
    }),
  )
}

async function knownOutcomes<S extends Scan, Person, Outcome extends string>(
  tx: Tx,
  { kind, sessionId }: Door<S, Person, Outcome>,
  scans: readonly S[],
  people: ReadonlyMap<string, Person>,
) {
  const ids = scans.map(({ id }) => id)
  const known = await findScans(tx, kind, ids)
  if (known.some((scan) => scan.sessionId !== sessionId || (scan.personId && !people.has(scan.personId))))
    throw conflict('scan_of_other_session')
  return new Map(known.map(({ id, personId, outcome }) => [id, { personId, outcome: outcome as Outcome }]))
}

const firstArrival = (scans: readonly CountedScan[], exceptId: string) =>
  scans
    .filter(({ id, kind }) => kind === 'arrive' && id !== exceptId)
    .reduce<CountedScan | null>((first, scan) => (first && first.at <= scan.at ? first : scan), null)
