import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export type Existing = 'keep' | 'replace'
type Props = { value: Existing; onChange: (value: Existing) => void; mayReplace?: boolean }

/** Asks whether a copy keeps or replaces amounts that already exist. */
export function ExistingChoice({ mayReplace = true, ...group }: Props) {
  const { t } = useTranslation('fees')
  return (
    <Radio.Group label={t('copy.existing')} {...group}>
      <Stack gap={8} mt={4}>
        <Radio size="sm" value="keep" label={t('copy.keep')} />
        <Radio size="sm" value="replace" label={t('copy.replace')} disabled={!mayReplace} />
      </Stack>
    </Radio.Group>
  )
}
