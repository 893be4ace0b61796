import { Anchor, List, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { LookAlike } from '#domain/payments/approvals/endpoints.ts'
import { rupiah, shortDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useApprovalWords } from './words.ts'

const pathOf = ({ type, id, reference, registrationCode }: LookAlike) => {
  if (type === 'payment') return `/pembayaran-mahasiswa/${id}`
  if (type === 'request') return `/persetujuan?q=${encodeURIComponent(registrationCode ?? '')}`
  return `/rekonsiliasi/mutasi?q=${encodeURIComponent(reference ?? '')}`
}

/** Payments, waiting entries and statement lines an entry may duplicate, each with the features both share. */
export function LookAlikes({ lookAlikes }: { lookAlikes: readonly LookAlike[] }) {
  const { t } = useApprovalWords()
  const { language } = useSurroundings()
  return (
    <List size="sm" spacing="xs" listStyleType="none">
      {lookAlikes.map((lookAlike) => {
        const { type, id, amount, at, applicantName, registrationCode, payerName, reference, visible, why, expected } =
          lookAlike
        const heading = [
          t(`look.type.${type}`),
          amount !== null && rupiah(amount),
          at !== null && shortDate(at, language),
        ]
          .filter(Boolean)
          .join(', ')
        const payer = [applicantName, registrationCode, payerName, reference].filter(Boolean).join(' · ')
        return (
          <List.Item key={id}>
            {visible ? (
              // Opens a new tab, so that the form keeps its input.
              <Anchor component={Link} to={pathOf(lookAlike)} target="_blank">
                {heading}
              </Anchor>
            ) : (
              <Text span>{heading}</Text>
            )}
            <Text size="sm">{visible ? payer : t('look.hidden')}</Text>
            <Text size="sm" c="dimmed">
              {expected ? t('look.expected') : why.map((reason) => t(`look.why.${reason}`)).join(', ')}
            </Text>
          </List.Item>
        )
      })}
    </List>
  )
}
