import { Button, Group, Kbd } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ReviewAction } from '#domain/documents/document-status.ts'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import classes from './document-review.module.css'

type ReviewButtonsProps = {
  /** Why an action is impossible now; null if it is possible. */
  blocked: (action: ReviewAction) => string | null
  approving: boolean
  onStart: (action: ReviewAction) => void
  onKeys: () => void
}

/** A button per decision about a document; impossible ones are disabled, with the reason. */
export function ReviewButtons({ blocked, approving, onStart, onKeys }: ReviewButtonsProps) {
  const { t } = useTranslation('documents')
  return (
    <Group gap="sm" className={classes.actions}>
      <DisabledReason reason={blocked('approve')} loading={approving} onClick={() => onStart('approve')}>
        {t('approve')}&nbsp;<Kbd size="xs">A</Kbd>
      </DisabledReason>
      <DisabledReason variant="default" reason={blocked('reject')} onClick={() => onStart('reject')}>
        {t('reject')}&nbsp;<Kbd size="xs">R</Kbd>
      </DisabledReason>
      <DisabledReason variant="default" reason={blocked('waive')} onClick={() => onStart('waive')}>
        {t('waive')}
      </DisabledReason>
      <DisabledReason variant="default" reason={blocked('defer')} onClick={() => onStart('defer')}>
        {t('defer')}
      </DisabledReason>
      <DisabledReason variant="default" reason={blocked('reopen')} onClick={() => onStart('reopen')}>
        {t('reopen')}
      </DisabledReason>
      <Button variant="subtle" onClick={onKeys}>
        {t('keysTitle')}&nbsp;<Kbd size="xs">?</Kbd>
      </Button>
    </Group>
  )
}
