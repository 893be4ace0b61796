import { Anchor, List, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { LookAlike } from '#domain/payments/approvals/endpoints.ts'
import { rupiah, shortDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/words.tsx'
import { useApprovalWords } from './words.ts'

const pathOf = ({ type, id, reference, registrationCode }: LookAlike) => {
  if (type === 'payment') return `/pembayaran-mahasiswa/${id}`
  if (type === 'request') return `/persetujuan?q=${encodeURIComponent(registrationCode ?? '')}`
  return `/rekonsiliasi/mutasi?q=${encodeURIComponent(reference ?? '')}`
}

/** Payments, waiting entries and statement lines that an entry may be a repetition of, each with what it has in common. */
export function LookAlikes({ found }: { found: readonly LookAlike[] }) {
  const { t } = useApprovalWords()
  const { language } = useSurroundings()
  return (
    <List size="sm" spacing="xs" listStyleType="none">
      {found.map((one) => {
        const { type, id, amount, at, applicantName, registrationCode, payerName, reference, visible, why, expected } =
          one
        const what = [t(`look.type.${type}`), amount !== null && rupiah(amount), at !== null && shortDate(at, language)]
          .filter(Boolean)
          .join(', ')
        const who = [applicantName, registrationCode, payerName, reference].filter(Boolean).join(' · ')
        return (
          <List.Item key={id}>
            {visible ? (
              // The form that is being filled in stays open.
              <Anchor component={Link} to={pathOf(one)} target="_blank">
                {what}
              </Anchor>
            ) : (
              <Text span>{what}</Text>
            )}
            <Text size="sm">{visible ? who : t('look.hidden')}</Text>
            <Text size="sm" c="dimmed">
              {expected ? t('look.expected') : why.map((reason) => t(`look.why.${reason}`)).join(', ')}
            </Text>
          </List.Item>
        )
      })}
    </List>
  )
}
