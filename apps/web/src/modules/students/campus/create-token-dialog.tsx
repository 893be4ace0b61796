import { Checkbox, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { createCampusToken } from '#domain/students/campus/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { MultiReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'

type Props = { onDone: (token: string) => void; onClose: () => void }

/** Creates a token: name, and which students and fields it can read. */
export function CreateTokenDialog({ onDone, onClose }: Props) {
  const { t } = useTranslation('campus')
  const { may } = useSession()
  const maySeeIdentity = may('pendaftaran-profile-identity')
  const form = useForm({
    call: createCampusToken,
    start: { name: '', withIdentity: false, programmeIds: [] as string[] },
    body: ({ name, ...reach }) => ({ name: name.trim(), ...reach }),
    onDone: ({ data }) => onDone(data.token),
  })
  return (
    <DialogForm title={t('create.title')} form={form} submit={t('create.confirm')} onClose={onClose}>
      <TextInput
        label={t('create.name')}
        description={t('create.nameHint')}
        autoComplete="off"
        data-autofocus
        {...form.text('name')}
      />
      <MultiReferenceSelect
        to="prodi"
        label={t('create.programmes')}
        description={t('create.programmesHint')}
        {...form.value('programmeIds')}
      />
      <Checkbox
        label={t('create.withIdentity')}
        description={t(maySeeIdentity ? 'create.withIdentityHint' : 'create.withIdentityRight')}
        disabled={!maySeeIdentity}
        {...form.box('withIdentity')}
      />
    </DialogForm>
  )
}
