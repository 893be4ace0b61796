import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatPhone } from '#domain/accounts/phone.ts'
import {
  type FullLead,
  keepApart,
  listLeadOwners,
  mergeLeads,
  planLead,
  readLead,
  renewLeadLink,
  revokeLeadLink,
} from '#domain/leads/endpoints.ts'
import { firstNameOf, isOpen, whatsappAddress } from '#domain/leads/leads.ts'
import { longDate } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useForm } from '#web/api/use-form.ts'
import { useBranding } from '#web/shell/branding.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { PageForm } from '#web/ui/form/form.tsx'
import { useMissing } from '#web/ui/states/missing.tsx'
import { Copied } from '#web/ui/text/copied.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './leads.module.css'
import { leadPath, leadTones } from './tones.ts'

type Props = { lead: FullLead }

/** Owner and date of the next contact. */
export function PlanCard({ lead }: Props) {
  const { t } = useTranslation('leads')
  const { language } = useSurroundings()
  const { data: owners, error } = useEndpoint(listLeadOwners)
  const missingData = useMissing()
  const form = useForm({
    call: planLead,
    params: { id: lead.id },
    start: { ownerId: lead.ownerId, nextContactOn: lead.nextContactOn },
    done: t('plan.saved'),
  })
  const choices = new Map((owners?.data ?? []).map(({ id, name }) => [id, name]))
  if (lead.ownerId && lead.owner) choices.set(lead.ownerId, lead.owner)
  return (
    <Card title={t('plan.title')}>
      <PageForm form={form} submit={t('plan.save')}>
        <Select
          label={t('plan.owner')}
          placeholder={t('plan.nobody')}
          searchable
          clearable
          clearSectionMode="clear"
          data={[...choices].map(([value, label]) => ({ value, label }))}
          {...form.value('ownerId')}
          {...(error && { error: missingData(t('plan.owner'), error) })}
        />
        {isOpen(lead.stage) && (
          <DatePickerInput label={t('plan.day')} locale={language} clearable {...form.value('nextContactOn')} />
        )}
      </PageForm>
    </Card>
  )
}

/** The lead's sign-up link. */
export function LinkCard({ lead: { id, name, phone, link } }: Props) {
  const { t } = useTranslation('leads')
  const { language } = useSurroundings()
  const { name: university } = useBranding()
  const { running, act, actOrThrow } = useAction(keyOf(readLead))
  const params = { id }
  const make = () => sendOnce(renewLeadLink, { params })
  const announce = () => t('link.made')
  return (
    <Card title={t('link.title')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('link.text')}
        </Text>
        {link ? (
          <>
            <Copied
              label={t('link.address')}
              value={link.address}
              help={t('link.until', { date: longDate(link.expiresAt, language) })}
            />
            <Group gap="xs">
              {phone && (
                <Button
                  component="a"
                  href={whatsappAddress(
                    phone,
                    t('call.greetingLink', { name: firstNameOf(name), university, link: link.address }),
                  )}
                  target="_blank"
                  rel="noreferrer"
                  variant="default"
                >
                  {t('link.send')}
                </Button>
              )}
              <ConfirmButton
                variant="default"
                message={t('link.renewText')}
                onConfirm={() => actOrThrow('renew', make, announce)}
              >
                {t('link.renew')}
              </ConfirmButton>
              <ConfirmButton
                variant="default"
                danger
                message={t('link.revokeText')}
                onConfirm={() =>
                  actOrThrow(
                    'revoke',
                    () => sendOnce(revokeLeadLink, { params }),
                    () => t('link.ended'),
                  )
                }
              >
                {t('link.revoke')}
              </ConfirmButton>
            </Group>
          </>
        ) : (
          <>
            <Text>{t('link.none')}</Text>
            <Group>
              <Button variant="default" loading={running === 'make'} onClick={() => act('make', make, announce)}>
                {t('link.make')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Card>
  )
}

/** Possible duplicates, to be merged into this lead or kept apart. */
export function DuplicatesCard({ lead: { id, duplicates } }: Props) {
  const { t } = useTranslation('leads')
  const { may } = useSession()
  const { running, act, actOrThrow } = useAction(keyOf(readLead))
  const params = { id }
  if (duplicates.length === 0) return null
  return (
    <Card title={t('duplicates.title')} count={duplicates.length}>
      <ul className={classes.rows}>
        {duplicates.map(({ id: otherId, name, phone, school, stage, createdAt }) => (
          <li key={otherId}>
            <div>
              <Anchor component={Link} to={leadPath(otherId)} aria-label={t('duplicates.open', { name })}>
                {name}
              </Anchor>
              <Text size="sm" c="dimmed">
                {[phone && formatPhone(phone), school].filter(Boolean).join(' · ')}
                {(phone || school) && ' · '}
                <DateText value={createdAt} as="short" />
              </Text>
              <StatusDot tone={leadTones[stage]} label={t(`stage.${stage}`)} />
            </div>
            {may(mergeLeads.access) && (
              <Group gap="xs">
                <ConfirmButton
                  size="compact-md"
                  message={t('duplicates.mergeText', { name })}
                  onConfirm={() =>
                    actOrThrow(
                      'merge',
                      () => sendOnce(mergeLeads, { params, body: { otherId } }),
                      () => t('duplicates.merged'),
                    )
                  }
                >
                  {t('duplicates.merge')}
                </ConfirmButton>
                <Button
                  size="compact-md"
                  variant="default"
                  loading={running === otherId}
                  onClick={() =>
                    act(
                      otherId,
                      () => sendOnce(keepApart, { params, body: { otherId } }),
                      () => t('duplicates.apartDone'),
                    )
                  }
                >
                  {t('duplicates.apart')}
                </Button>
              </Group>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Each consent with its text and time. */
export function OriginsCard({ lead: { origins } }: Props) {
  const { t } = useTranslation('leads')
  const { may } = useSession()
  return (
    <Card title={t('origins.title')} count={origins.length}>
      <ul className={classes.rows}>
        {origins.map((origin) => (
          <li key={origin.id}>
            <div>
              <Text fw={500}>
                {origin.eventId && may('event-afiliator-view') ? (
                  <Anchor component={Link} to={`/event-afiliator/view/${origin.eventId}`}>
                    {t(`kind.${origin.kind}`)}
                  </Anchor>
                ) : (
                  t(`kind.${origin.kind}`)
                )}{' '}
                {origin.affiliate && t('origins.affiliate', { name: origin.affiliate })}
              </Text>
              <Text size="sm" c="dimmed">
                <DateText value={origin.consentedAt} as="datetime" />
                {origin.recordedBy && `, ${t('origins.recordedBy', { name: origin.recordedBy })}`}
                {origin.merged && `, ${t('origins.merged')}`}
              </Text>
              <Text size="sm">“{origin.consentText}”</Text>
              <Text size="sm" c="dimmed">
                {t('origins.given', {
                  what: [origin.name, origin.phone && formatPhone(origin.phone), origin.email]
                    .filter(Boolean)
                    .join(', '),
                })}
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
