import { classProgramme } from './academic/class-programme.ts'
import { degreeLevel } from './academic/degree-level.ts'
import { entryLevel } from './academic/entry-level.ts'
import { faculty } from './academic/faculty.ts'
import { programmeDetail, studyProgramme, tuitionFee } from './academic/study-programme.ts'
import { wave } from './academic/wave.ts'
import { test, testSession } from './admission/test.ts'
import { track, trackDetail, trackFile } from './admission/track.ts'
import type { Entity } from './define/entity.ts'
import { discount, donation, feeComponent, installmentPlan, installmentTerm, registrationFee } from './finance/fees.ts'
import { refundPolicy } from './finance/refund-policy.ts'
import { voucher } from './finance/voucher.ts'
import { helpQuestion } from './messaging/help-question.ts'
import { messageTemplate } from './messaging/message-template.ts'
import { affiliate, schoolAgreement } from './outreach/outreach.ts'
import { ethnicGroup, religion, school, schoolMajor, schoolType } from './people/people.ts'
import { feederRegion } from './region/feeder-region.ts'
import { city, district, province, village } from './region/regions.ts'

/** Every master entity, after the entities it references. */
export const entities: readonly Entity[] = [
  faculty,
  degreeLevel,
  entryLevel,
  classProgramme,
  studyProgramme,
  wave,
  track,
  feeComponent,
  programmeDetail,
  tuitionFee,
  trackDetail,
  trackFile,
  province,
  city,
  district,
  village,
  feederRegion,
  religion,
  ethnicGroup,
  schoolType,
  schoolMajor,
  school,
  test,
  testSession,
  registrationFee,
  installmentPlan,
  installmentTerm,
  donation,
  discount,
  refundPolicy,
  affiliate,
  voucher,
  schoolAgreement,
  messageTemplate,
  helpQuestion,
]

const bySlug = new Map(entities.map((entity) => [entity.slug, entity]))
const byTable = new Map(entities.map((entity) => [entity.table, entity]))

export const findEntity = (slug: string) => bySlug.get(slug)
export const findEntityOfTable = (table: string) => byTable.get(table)

export function getEntity(slug: string): Entity {
  const entity = bySlug.get(slug)
  if (!entity) throw new Error(`No master entity is called ${slug}`)
  return entity
}

export const childrenOf = (entity: Entity) => entities.filter((child) => child.parent?.slug === entity.slug)

/** Whether the entity has its own pages; rows of others are edited in a dialog on their parent's page. */
export const hasPages = ({ parent }: Entity) => !parent || parent.pages !== undefined

/** Whether rows open on a page with their own lists. */
export const hasView = (entity: Entity) => childrenOf(entity).some(hasPages)
