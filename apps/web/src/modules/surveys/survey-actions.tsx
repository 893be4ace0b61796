import { Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { closeSurvey, deleteSurvey, duplicateSurvey, reopenSurvey } from '#domain/surveys/endpoints.ts'
import type { SurveyState } from '#domain/surveys/surveys.ts'
import { useForm } from '#web/api/use-form.ts'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { builderPath } from './paths.ts'

type Row = { id: string; name: string; status: SurveyState; version: number }
type Props = { survey: Row } & DialogEnds

/** Actions on a survey, for the list of surveys and for the survey's page. */
export function useSurveyActions(): RowAction<Row>[] {
  const { t } = useTranslation('surveys')
  const dialog =
    (Dialog: (props: Props) => ReactNode) =>
    ([survey]: Row[], ends: DialogEnds) =>
      survey && <Dialog survey={survey} {...ends} />
  return [
    { key: 'edit', label: t('edit'), right: closeSurvey.access, href: ({ id }) => builderPath(id) },
    {
      key: 'duplicate',
      label: t('duplicate'),
      right: duplicateSurvey.access,
      dialog: dialog(DuplicateDialog),
    },
    {
      key: 'close',
      label: t('close'),
      right: closeSurvey.access,
      suits: ({ status }) => status === 'open',
      dialog: dialog(CloseDialog),
    },
    {
      key: 'reopen',
      label: t('reopen'),
      right: reopenSurvey.access,
      suits: ({ status }) => status === 'closed',
      dialog: dialog(ReopenDialog),
    },
    {
      key: 'delete',
      label: t('delete'),
      right: deleteSurvey.access,
      danger: true,
      suits: ({ status }) => status === 'draft',
      dialog: dialog(DeleteDialog),
    },
  ]
}

const endWith =
  ({ onDone, onClose }: DialogEnds) =>
  () => {
    onDone()
    onClose()
  }

function CloseDialog({ survey: { id, name, version }, ...ends }: Props) {
  const { t } = useTranslation('surveys')
  const form = useForm({
    call: closeSurvey,
    params: { id },
    body: { version },
    done: t('closeDone'),
    onDone: endWith(ends),
  })
  return (
    <DialogForm form={form} title={`${t('close')}: ${name}`} submit={t('close')} onClose={ends.onClose}>
      <Text>{t('closeText')}</Text>
    </DialogForm>
  )
}

function ReopenDialog({ survey: { id, name, version }, ...ends }: Props) {
  const { t } = useTranslation('surveys')
  const form = useForm({
    call: reopenSurvey,
    params: { id },
    body: { version },
    done: t('reopenDone'),
    onDone: endWith(ends),
  })
  return (
    <DialogForm form={form} title={`${t('reopen')}: ${name}`} submit={t('reopen')} onClose={ends.onClose}>
      <Text>{t('reopenText')}</Text>
    </DialogForm>
  )
}

function DuplicateDialog({ survey: { id, name }, ...ends }: Props) {
  const { t } = useTranslation('surveys')
  const navigate = useNavigate()
  const form = useForm({
    call: duplicateSurvey,
    params: { id },
    start: { name: t('copyOf', { name }).slice(0, 150) },
    done: t('duplicated'),
    onDone: ({ data }) => {
      endWith(ends)()
      navigate(builderPath(data.id))
    },
  })
  return (
    <DialogForm form={form} title={t('duplicate')} submit={t('duplicate')} onClose={ends.onClose}>
      <TextInput label={t('column.name')} data-autofocus {...form.text('name')} />
    </DialogForm>
  )
}

function DeleteDialog({ survey: { id, name }, ...ends }: Props) {
  const { t } = useTranslation('surveys')
  const form = useForm({
    call: deleteSurvey,
    params: { id },
    body: undefined,
    done: t('deleted'),
    onDone: endWith(ends),
  })
  return (
    <DialogForm
      form={form}
      title={t('deleteTitle')}
      submit={t('delete')}
      button={{ color: 'red.9' }}
      onClose={ends.onClose}
    >
      <Text>{t('deleteText', { name })}</Text>
    </DialogForm>
  )
}
