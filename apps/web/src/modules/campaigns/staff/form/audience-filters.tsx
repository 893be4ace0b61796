import { Select, SimpleGrid } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { listRegistrations } from '#domain/admissions/lists.ts'
import { affiliateKinds } from '#domain/affiliates/affiliates.ts'
import type { Audience } from '#domain/campaigns/campaigns.ts'
import { readEvent } from '#domain/events/endpoints.ts'
import { visitorStates } from '#domain/events/events.ts'
import { listEvents } from '#domain/events/lists.ts'
import { listLeadOwners } from '#domain/leads/endpoints.ts'
import { listLeads } from '#domain/leads/lists.ts'
import type { AnyList } from '#domain/list.ts'
import { useEndpoint } from '#web/api/query.ts'
import { ListBar } from '#web/list/bar/list-bar.tsx'
import type { FilterControl } from '#web/list/types.ts'
import { useDeclared } from '#web/list/use-declared.tsx'
import { ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { useMissing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './form.module.css'

export type Filters = Record<string, string>
type Props = { filters: Filters; onChange: (filters: Filters) => void }

/** Filters that narrow an audience. Registrations and leads use the filters of their lists. */
export function AudienceFilters({ audience, ...props }: Props & { audience: Audience }) {
  if (audience === 'registrations') return <ListFilters list={listRegistrations} {...props} />
  if (audience === 'leads') return <LeadFilters {...props} />
  if (audience === 'visitors') return <VisitorFilters {...props} />
  if (audience === 'schools') return <SchoolFilters {...props} />
  return audience === 'affiliates' ? <AffiliateFilters {...props} /> : null
}

const withChange = (filters: Filters, changes: Record<string, string | null>): Filters =>
  Object.fromEntries(
    Object.entries({ ...filters, ...changes }).filter((entry): entry is [string, string] => !!entry[1]),
  )

const noColumns = { all: [], visible: [], keys: [], choose: () => {}, reset: () => {} }

type ListProps = Props & { list: AnyList; controls?: Record<string, FilterControl> }

/** A list's filter bar that keeps its filters in the draft instead of the URL. */
function ListFilters({ list, controls = {}, filters, onChange }: ListProps) {
  const { t } = useTranslation('send')
  const searchRef = useRef<HTMLInputElement>(null)
  const { filters: declared = [] } = useDeclared({ list, controls, title: '', rowTitle: () => '' })
  const { q = '', ...rest } = filters
  const state = {
    ...{ q, sort: '', page: 1, perPage: 10, filters: rest, query: filters, viewQuery: '' },
    narrowed: Object.keys(filters).length > 0,
    set: (changes: Record<string, string | null>) => onChange(withChange(filters, changes)),
    clear: () => onChange({}),
    show: () => {},
  }
  return (
    <div className={classes.filters}>
      <ListBar
        list={state}
        filters={declared}
        columns={noColumns}
        searchRef={searchRef}
        searchLabel={t('audience.search')}
      />
    </div>
  )
}

function LeadFilters(props: Props) {
  const { t } = useTranslation('send')
  const { data } = useEndpoint(listLeadOwners)
  return (
    <ListFilters
      {...props}
      list={listLeads}
      controls={{
        ownerId: { kind: 'choice', choices: (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })) },
        eventId: {
          kind: 'custom',
          control: (value, onChange) => <EventSelect label={t('audience.event')} {...{ value, onChange }} />,
          chip: (id) => <EventName id={id} />,
        },
      }}
    />
  )
}

function useEvents() {
  const { language } = useSurroundings()
  const { data, error } = useEndpoint(listEvents, { query: { per_page: 100 } }, { staleTime: 60_000 })
  const events = (data?.data ?? []).map((event) => ({
    value: event.id,
    label: language === 'id' ? event.nameId : event.nameEn,
  }))
  return { events, error }
}

function EventName({ id }: { id: string }) {
  const { events } = useEvents()
  return events.find(({ value }) => value === id)?.label ?? '…'
}

type EventProps = { label: string; value: string | null; onChange: (value: string | null) => void; required?: boolean }

function EventSelect({ label, value, onChange, required = false }: EventProps) {
  const { say } = useSurroundings()
  const missing = useMissing()
  const { events, error } = useEvents()
  return (
    <Select
      label={label}
      description={missing(label, error)}
      data={events}
      searchable
      openOnFocus={false}
      clearable={!required}
      clearButtonProps={{ 'aria-label': say('actions.remove') }}
      withAsterisk={required}
      value={value}
      onChange={onChange}
      comboboxProps={{ withinPortal: false }}
    />
  )
}

function VisitorFilters({ filters, onChange }: Props) {
  const { t } = useTranslation(['send', 'campaigns'])
  const { eventId = null, sessionId = null, state = null } = filters
  const event = useEndpoint(readEvent, { params: { id: eventId ?? '' } }, { enabled: eventId !== null })
  const set = (changes: Record<string, string | null>) => onChange(withChange(filters, changes))
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} data-field="filters">
      <EventSelect
        required
        label={t('audience.event')}
        value={eventId}
        onChange={(id) => set({ eventId: id, sessionId: null })}
      />
      <Choice
        label={t('campaigns:filter.sessionId')}
        choices={(event.data?.data.sessions ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={sessionId}
        onChange={(id) => set({ sessionId: id })}
      />
      <Choice
        label={t('campaigns:filter.visitorState')}
        choices={visitorStates.map((value) => ({ value, label: t(`campaigns:visitorState.${value}`) }))}
        value={state}
        onChange={(next) => set({ state: next })}
      />
    </SimpleGrid>
  )
}

function SchoolFilters({ filters, onChange }: Props) {
  const { t } = useTranslation('campaigns')
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} data-field="filters">
      {(
        [
          ['provinceId', 'provinsi'],
          ['schoolTypeId', 'sma'],
        ] as const
      ).map(([key, entity]) => (
        <ReferenceSelect
          key={key}
          to={entity}
          label={t(`filter.${key}`)}
          clearable
          value={filters[key] ?? null}
          onChange={(value) => onChange(withChange(filters, { [key]: value }))}
        />
      ))}
    </SimpleGrid>
  )
}

function AffiliateFilters({ filters, onChange }: Props) {
  const { t } = useTranslation('campaigns')
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} data-field="filters">
      <Choice
        label={t('filter.kind')}
        choices={affiliateKinds.map((value) => ({ value, label: t(`affiliateKind.${value}`) }))}
        value={filters.kind ?? null}
        onChange={(kind) => onChange(withChange(filters, { kind }))}
      />
    </SimpleGrid>
  )
}

type ChoiceProps = {
  label: string
  choices: readonly { value: string; label: string }[]
  value: string | null
  onChange: (value: string | null) => void
}

function Choice({ label, choices, ...control }: ChoiceProps) {
  const { t } = useTranslation('list')
  const { say } = useSurroundings()
  return (
    <Select
      label={label}
      data={[...choices]}
      placeholder={t('any')}
      clearable
      clearButtonProps={{ 'aria-label': say('actions.remove') }}
      {...control}
    />
  )
}
