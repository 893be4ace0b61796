import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type FormState, PageForm } from '#web/ui/form/form.tsx'

type Props = {
  form: FormState
  /** Every field is read-only. */
  fixed?: boolean
  onBack: () => void
  /** Button that deletes the record, at the far end. */
  removal?: ReactNode
  children: ReactNode
}

/** Form of a settings page, with links back and a button that deletes the record. */
export function SettingForm({ form, fixed = false, onBack, removal, children }: Props) {
  const { t } = useTranslation('common')
  return (
    <PageForm
      form={form}
      submit={fixed ? null : t('actions.save')}
      maw={560}
      beside={
        <>
          <Button variant="subtle" onClick={onBack} children={t(fixed ? 'actions.back' : 'actions.cancel')} />
          {removal}
        </>
      }
    >
      {children}
    </PageForm>
  )
}
