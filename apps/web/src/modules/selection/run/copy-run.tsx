import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { copySelectionRun, type SelectionRun } from '#domain/selection/endpoints.ts'
import type { ChangedPlaces } from '#domain/selection/rules.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

/** Saves a copy of a selection under a new name, with the places that were tried. */
export function CopyRun({ run, places, onClose }: { run: SelectionRun; places: ChangedPlaces[]; onClose: () => void }) {
  const { t } = useTranslation('selection')
  const navigate = useNavigate()
  const form = useForm({
    call: copySelectionRun,
    params: { id: run.id },
    start: { name: '' },
    body: ({ name }) => ({ name, places }),
    done: t('copy.done'),
    onDone: ({ data }) => {
      onClose()
      navigate(`/seleksi/${data.id}`)
    },
  })
  return (
    <DialogForm form={form} title={t('page.copyTitle')} submit={t('copy.save')} onClose={onClose}>
      <Text>{t('page.copyText')}</Text>
      <TextInput label={t('copy.name')} {...form.text('name')} />
    </DialogForm>
  )
}
