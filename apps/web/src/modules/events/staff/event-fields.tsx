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
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { EventInput } from '#domain/events/endpoints.ts'
import { eventKinds } from '#domain/events/events.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import { type Bindings, boundRows } from '#web/api/use-form.ts'
import classes from '#web/modules/events/events.module.css'
import { ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { DatePickerInput, TimePicker } from '#web/ui/form/dates.ts'
import { MoneyInput } from '#web/ui/form/money-input.tsx'

type Session = Omit<EventInput['sessions'][number], 'date' | 'capacity'> & {
  date: string | null
  capacity: number | null
}

/** An event being edited. */
export type EventFields = Omit<EventInput, 'opensOn' | 'closesOn' | 'sessions' | 'invited'> & {
  opensOn: string | null
  closesOn: string | null
  sessions: Session[]
  invited: number | null
}

type Props = {
  form: Bindings<EventFields>
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

export function FactFields({ form, origin }: Props) {
  const { t } = useTranslation('events')
  const { values, set } = form
  const hasOwnSlug = values.slug !== slugOf(values.nameId)
  return (
    <>
      <Select
        label={t('form.kind')}
        allowDeselect={false}
        data={eventKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        {...form.choice('kind')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('form.nameId')}
          value={values.nameId}
          {...form.field('nameId')}
          onChange={({ currentTarget: { value: nameId } }) =>
            set({ nameId, ...(!hasOwnSlug && { slug: slugOf(nameId) }) })
          }
        />
        <TextInput label={t('form.nameEn')} {...form.text('nameEn')} />
        {(['descriptionId', 'descriptionEn'] as const).map((name) => (
          <Textarea key={name} label={t(`form.${name}`)} autosize minRows={3} {...form.text(name)} />
        ))}
      </SimpleGrid>
      <TextInput
        label={t('form.slug')}
        description={t('form.slugHint', { link: `${origin}/acara/${values.slug || '…'}` })}
        {...form.text('slug')}
      />
      <ReferenceSelect to="sma-nama" label={t('form.school')} clearable {...form.value('schoolId')} />
      <TextInput label={t('form.place')} description={t('form.placeHint')} {...form.text('place')} />
      <TextInput type="url" label={t('form.link')} {...form.text('link')} />
    </>
  )
}

export function SessionFields({ form }: Props) {
  const { t } = useTranslation('events')
  const { sessions } = form.values
  const last = sessions.at(-1)
  return (
    <>
      {boundRows(form, 'sessions').map((session, index) => (
        <fieldset key={session.values.id ?? `new-${index}`} className={classes.row}>
          <Group justify="space-between" mb="xs">
            <legend>{t('form.session', { number: index + 1 })}</legend>
            {sessions.length > 1 && (
              <ActionIcon
                variant="subtle"
                aria-label={t('form.removeSession', { number: index + 1 })}
                onClick={() => form.set({ sessions: sessions.filter((_, at) => at !== index) })}
              >
                <IconTrash size={18} aria-hidden="true" />
              </ActionIcon>
            )}
          </Group>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label={t('form.sessionName')} {...session.text('name')} />
            <DatePickerInput label={t('form.date')} {...session.value('date')} />
            {(['startTime', 'endTime'] as const).map((name) => (
              <TimePicker
                key={name}
                label={t(`form.${name}`)}
                format="24h"
                withDropdown
                withAsterisk
                value={session.values[name]}
                {...shownField(session.field(name))}
                onChange={(time) => session.set({ [name]: time.slice(0, 5) })}
              />
            ))}
            <TextInput label={t('form.room')} {...session.text('room')} />
            <NumberInput label={t('form.capacity')} allowDecimal={false} {...session.number('capacity')} />
          </SimpleGrid>
        </fieldset>
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={18} aria-hidden="true" />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => last && form.set({ sessions: [...sessions, { ...last, id: null, name: '' }] })}
      >
        {t('form.addSession')}
      </Button>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['opensOn', 'closesOn'] as const).map((name) => (
          <DatePickerInput key={name} label={t(`form.${name}`)} {...form.value(name)} />
        ))}
      </SimpleGrid>
      <Checkbox label={t('form.public')} description={t('form.publicHint')} {...form.box('public')} />
    </>
  )
}

/** A time control accepts no limits for numbers and texts. */
const shownField = ({ error, wrapperProps }: CheckedField) => ({ error, wrapperProps })

export function PeopleFields({ form, choices }: Props) {
  const { t } = useTranslation('events')
  const named = (rows: Props['choices']['owners']) => rows.map(({ id, name }) => ({ value: id, label: name }))
  const { costs } = form.values
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select label={t('form.owner')} clearable searchable data={named(choices.owners)} {...form.value('ownerId')} />
        <NumberInput
          label={t('form.invited')}
          description={t('form.invitedHint')}
          allowDecimal={false}
          {...form.number('invited')}
        />
      </SimpleGrid>
      <MultiSelect
        label={t('form.affiliates')}
        searchable
        clearable
        data={named(choices.affiliates)}
        {...form.value('affiliateIds')}
      />
      <Stack gap="sm">
        {boundRows(form, 'costs').map((cost, index) => (
          <fieldset key={index} className={classes.row}>
            <Group justify="space-between" mb="xs">
              <legend>{t('form.cost', { number: index + 1 })}</legend>
              <ActionIcon
                variant="subtle"
                aria-label={t('form.removeCost', { number: index + 1 })}
                onClick={() => form.set({ costs: costs.filter((_, at) => at !== index) })}
              >
                <IconTrash size={18} aria-hidden="true" />
              </ActionIcon>
            </Group>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <TextInput label={t('form.costLabel')} {...cost.text('label')} />
              <MoneyInput label={t('form.planned')} {...cost.value('planned')} />
              <MoneyInput
                label={t('form.actual')}
                value={cost.values.actual ?? ''}
                {...cost.field('actual')}
                onChange={(actual) => cost.set({ actual: actual || null })}
              />
            </SimpleGrid>
          </fieldset>
        ))}
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => form.set({ costs: [...costs, { label: '', planned: 0, actual: null }] })}
        >
          {t('form.addCost')}
        </Button>
      </Stack>
    </>
  )
}
