import { seedDemoAffiliates } from './demo/affiliates/index.ts'
import { seedDemoCampaigns } from './demo/campaigns.ts'
import { seedDemoChats } from './demo/chats.ts'
import { seedDemoEvents } from './demo/events.ts'
import { seedDemo } from './demo/index.ts'
import { seedDemoLeads } from './demo/leads.ts'
import { seedDemoMoney } from './demo/office/money.ts'
import { seedDemoPeople } from './demo/office/people.ts'
import { seedDemoSystems } from './demo/office/systems.ts'
import { seedDemoSeasons } from './demo/seasons/index.ts'
import { keepFirstDays } from './demo/seasons/keep-days.ts'
import { seedDemoSelection } from './demo/selection.ts'
import { seedDemoStatement } from './demo/statement.ts'
import { seedDemoSurveys } from './demo/surveys/index.ts'
import { seedLetters } from './letters.ts'
import { seedMessagePlaceholders } from './message-placeholders.ts'
import { seedOpening } from './opening.ts'
import { seedReference } from './reference.ts'
import { seedRegions } from './regions.ts'
import { seedRoles } from './roles/seed-roles.ts'
import type { Seed } from './seed.ts'

const declarations: readonly Seed[] = [
  { name: 'roles', work: seedRoles, repeats: true },
  { name: 'message placeholders', work: seedMessagePlaceholders, repeats: true },
  { name: 'lists', work: seedReference, repeats: true },
  { name: 'letters', work: seedLetters, repeats: true },
]

/** Independent of all other seeds, and slow: a start runs it beside them. */
export const regionSeeds: readonly Seed[] = [{ name: 'regions', work: (db) => seedRegions(db) }]

/** Seeds of every database, in order. */
export const referenceSeeds: readonly Seed[] = [...declarations, ...regionSeeds]

/** Seeds of test databases: the same, but with Jakarta Pusat as the only city and with registration open. */
export const testSeeds: readonly Seed[] = [
  ...declarations,
  { name: 'regions', work: (db) => seedRegions(db, ['31.71']) },
  { name: 'demo opening', work: seedOpening },
]

/** A campaign's recipients are those its filters matched on the day it was planned, so earlier seasons come first. */
const campaigns: Seed = { name: 'demo campaigns', work: (_db, services) => seedDemoCampaigns(services) }

/** Seeds of the embedded demo database only. */
export const demoSeeds: readonly Seed[] = [
  { name: 'demo university', work: (_db, services) => seedDemo(services) },
  { name: 'demo statement', work: (_db, services) => seedDemoStatement(services) },
  { name: 'demo affiliates', work: (_db, services) => seedDemoAffiliates(services) },
  { name: 'demo leads', work: (_db, services) => seedDemoLeads(services) },
  { name: 'demo events', work: (_db, services) => seedDemoEvents(services) },
  { name: 'demo surveys', work: (_db, services) => seedDemoSurveys(services) },
  { name: 'demo chats', work: (_db, services) => seedDemoChats(services) },
  { name: 'demo opening', work: seedOpening },
  { ...campaigns, when: ({ demoHistory }) => !demoHistory },
]

/**
 * Seeds after the demo ones, for the university's earlier years. The office changes the programme of an accepted
 * applicant in the wave whose selection is computed later, so it comes before the selection.
 */
export const historySeeds: readonly Seed[] = [
  { name: 'demo seasons', work: (_db, services) => seedDemoSeasons(services) },
  { name: 'demo office', work: (_db, services) => seedDemoPeople(services) },
  { name: 'demo selection', work: (_db, services) => seedDemoSelection(services) },
  { name: 'demo money', work: (_db, services) => seedDemoMoney(services) },
  { name: 'demo systems', work: (_db, services) => seedDemoSystems(services) },
  { name: 'demo days', work: (_db, services) => keepFirstDays(services), repeats: true },
  campaigns,
]
