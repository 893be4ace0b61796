import { Button, type ButtonProps } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { downloadAcceptanceLetter } from '#domain/admissions/offer-endpoints.ts'
import { pathOf } from '#web/api/client.ts'
import { useDownload } from '#web/api/use-download.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = { registration: { id: string; code: string } } & Pick<ButtonProps, 'size' | 'variant'>

export function LetterButton({ registration, size, variant = 'default' }: Props) {
  const { t } = useTranslation('registration')
  const { language } = useSurroundings()
  const { id, code } = registration
  const letter = useDownload()
  return (
    <Button
      variant={variant}
      {...(variant === 'white' && { color: 'dark' })}
      {...(size && { size })}
      leftSection={<IconFileText size={20} aria-hidden="true" />}
      loading={letter.busy}
      onClick={() => letter.start(pathOf(downloadAcceptanceLetter.path, { id }), `${code}.pdf`, { language })}
    >
      {t('confirm.letter')}
    </Button>
  )
}
