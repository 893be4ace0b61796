import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import { DatePickerInput, TimePicker } from '@mantine/dates'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { EventInput } from '#domain/events/endpoints.ts'
import { eventKinds } from '#domain/events/events.ts'
import classes from '#web/modules/events/events.module.css'
import { ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { MoneyInput } from '#web/ui/form/money-input.tsx'

type Session = Omit<EventInput['sessions'][number], 'date' | 'capacity'> & {
  date: string | null
  capacity: number | string
}

/** An event being edited. */
export type EventFields = Omit<EventInput, 'opensOn' | 'closesOn' | 'sessions' | 'invited'> & {
  opensOn: string | null
  closesOn: string | null
  sessions: Session[]
  invited: number | string | null
}

type Field = {
  error: string | undefined
  wrapperProps: { 'data-field': string }
}
type Props = {
  values: EventFields
  change: (part: Partial<EventFields>) => void
  form: { field: (name: string) => Field }
  choices: { affiliates: { id: string; name: string }[]; owners: { id: string; name: string }[] }
  origin: string
}

/** Makes a URL part from a name. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)

export function FactFields({ values, change, form, origin }: Props) {
  const { t } = useTranslation('events')
  const hasOwnSlug = values.slug !== slugOf(values.nameId)
  return (
    <>
      <Select
        label={t('form.kind')}
        allowDeselect={false}
        data={eventKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        value={values.kind}
        {...form.field('kind')}
        onChange={(kind) => kind && change({ kind: kind as EventFields['kind'] })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('form.nameId')}
          value={values.nameId}
          {...form.field('nameId')}
          onChange={({ currentTarget: { value: nameId } }) =>
            change({ nameId, ...(!hasOwnSlug && { slug: slugOf(nameId) }) })
          }
        />
        <TextInput
          label={t('form.nameEn')}
          value={values.nameEn}
          {...form.field('nameEn')}
          onChange={(event) => change({ nameEn: event.currentTarget.value })}
        />
        {(['descriptionId', 'descriptionEn'] as const).map((name) => (
          <Textarea
            key={name}
            label={t(`form.${name}`)}
            autosize
            minRows={3}
            value={values[name]}
            {...form.field(name)}
            onChange={(event) => change({ [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      <TextInput
        label={t('form.slug')}
        description={t('form.slugHint', { link: `${origin}/acara/${values.slug || '…'}` })}
        value={values.slug}
        {...form.field('slug')}
        onChange={(event) => change({ slug: event.currentTarget.value })}
      />
      <ReferenceSelect
        to="sma-nama"
        label={t('form.school')}
        clearable
        value={values.schoolId}
        {...form.field('schoolId')}
        onChange={(schoolId) => change({ schoolId })}
      />
      <TextInput
        label={t('form.place')}
        description={t('form.placeHint')}
        value={values.place}
        {...form.field('place')}
        onChange={(event) => change({ place: event.currentTarget.value })}
      />
      <TextInput
        type="url"
        label={t('form.link')}
        value={values.link}
        {...form.field('link')}
        onChange={(event) => change({ link: event.currentTarget.value })}
      />
    </>
  )
}

export function SessionFields({ values, change, form }: Props) {
  const { t } = useTranslation('events')
  const set = (index: number, part: Partial<Session>) =>
    change({ sessions: values.sessions.map((session, at) => (at === index ? { ...session, ...part } : session)) })
  const last = values.sessions.at(-1)
  return (
    <>
      {values.sessions.map((session, index) => (
        <fieldset key={session.id ?? `new-${index}`} className={classes.row}>
          <Group justify="space-between" mb="xs">
            <legend>{t('form.session', { number: index + 1 })}</legend>
            {values.sessions.length > 1 && (
              <ActionIcon
                variant="subtle"
                aria-label={t('form.removeSession', { number: index + 1 })}
                onClick={() => change({ sessions: values.sessions.filter((_, at) => at !== index) })}
              >
                <IconTrash size={18} aria-hidden="true" />
              </ActionIcon>
            )}
          </Group>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={t('form.sessionName')}
              value={session.name}
              {...form.field(`sessions.${index}.name`)}
              onChange={(event) => set(index, { name: event.currentTarget.value })}
            />
            <DatePickerInput
              label={t('form.date')}
              value={session.date}
              {...form.field(`sessions.${index}.date`)}
              onChange={(date) => set(index, { date })}
            />
            {(['startTime', 'endTime'] as const).map((name) => (
              <TimePicker
                key={name}
                label={t(`form.${name}`)}
                format="24h"
                withDropdown
                withAsterisk
                value={session[name]}
                {...shownField(form.field(`sessions.${index}.${name}`))}
                onChange={(time) => set(index, { [name]: time.slice(0, 5) })}
              />
            ))}
            <TextInput
              label={t('form.room')}
              value={session.room}
              {...form.field(`sessions.${index}.room`)}
              onChange={(event) => set(index, { room: event.currentTarget.value })}
            />
            <NumberInput
              label={t('form.capacity')}
              allowDecimal={false}
              value={session.capacity}
              {...form.field(`sessions.${index}.capacity`)}
              onChange={(capacity) => set(index, { capacity })}
            />
          </SimpleGrid>
        </fieldset>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={18} aria-hidden="true" />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => last && change({ sessions: [...values.sessions, { ...last, id: null, name: '' }] })}
      >
        {t('form.addSession')}
      </Button>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['opensOn', 'closesOn'] as const).map((name) => (
          <DatePickerInput
            key={name}
            label={t(`form.${name}`)}
            value={values[name]}
            {...form.field(name)}
            onChange={(day) => change({ [name]: day })}
          />
        ))}
      </SimpleGrid>
      <Checkbox
        label={t('form.public')}
        description={t('form.publicHint')}
        checked={values.public}
        onChange={(event) => change({ public: event.currentTarget.checked })}
      />
    </>
  )
}

/** A time control accepts no limits for numbers and texts. */
const shownField = ({ error, wrapperProps }: Field) => ({ error, wrapperProps })

export function PeopleFields({ values, change, form, choices }: Props) {
  const { t } = useTranslation('events')
  const named = (rows: Props['choices']['owners']) => rows.map(({ id, name }) => ({ value: id, label: name }))
  const set = (index: number, part: Partial<EventFields['costs'][number]>) =>
    change({ costs: values.costs.map((cost, at) => (at === index ? { ...cost, ...part } : cost)) })
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('form.owner')}
          clearable
          searchable
          data={named(choices.owners)}
          value={values.ownerId}
          {...form.field('ownerId')}
          onChange={(ownerId) => change({ ownerId })}
        />
        <NumberInput
          label={t('form.invited')}
          description={t('form.invitedHint')}
          allowDecimal={false}
          value={values.invited ?? ''}
          {...form.field('invited')}
          onChange={(invited) => change({ invited: invited === '' ? null : invited })}
        />
      </SimpleGrid>
      <MultiSelect
        label={t('form.affiliates')}
        searchable
        clearable
        data={named(choices.affiliates)}
        value={values.affiliateIds}
        {...form.field('affiliateIds')}
        onChange={(affiliateIds) => change({ affiliateIds })}
      />
      <Stack gap="sm">
        {values.costs.map((cost, index) => (
          <fieldset key={index} className={classes.row}>
            <Group justify="space-between" mb="xs">
              <legend>{t('form.cost', { number: index + 1 })}</legend>
              <ActionIcon
                variant="subtle"
                aria-label={t('form.removeCost', { number: index + 1 })}
                onClick={() => change({ costs: values.costs.filter((_, at) => at !== index) })}
              >
                <IconTrash size={18} aria-hidden="true" />
              </ActionIcon>
            </Group>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <TextInput
                label={t('form.costLabel')}
                value={cost.label}
                {...form.field(`costs.${index}.label`)}
                onChange={(event) => set(index, { label: event.currentTarget.value })}
              />
              <MoneyInput
                label={t('form.planned')}
                value={cost.planned}
                {...form.field(`costs.${index}.planned`)}
                onChange={(planned) => set(index, { planned })}
              />
              <MoneyInput
                label={t('form.actual')}
                value={cost.actual ?? ''}
                {...form.field(`costs.${index}.actual`)}
                onChange={(actual) => set(index, { actual: actual || null })}
              />
            </SimpleGrid>
          </fieldset>
        ))}
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => change({ costs: [...values.costs, { label: '', planned: 0, actual: null }] })}
        >
          {t('form.addCost')}
        </Button>
      </Stack>
    </>
  )
}
