import {
  commissionApproved,
  commissionEarned,
  commissionPaid,
  referred,
  visits,
  voucherDiscount,
  voucherUses,
} from './facts/referral-facts.ts'
import { defineReport } from './report.ts'

/** Registrations and costs of affiliates and vouchers. */
export const referrals = defineReport({
  slug: 'voucher-afiliator',
  shape: 'lines',
  groups: ['affiliate', 'voucher', 'programme', 'track', 'wave'],
  by: ['affiliate'],
  steps: { affiliate: { filter: 'affiliateId', by: ['voucher'] } },
  measures: {
    started: referred('started'),
    visits,
    submitted: referred('submitted'),
    enrolled: referred('enrolled'),
    voucherUses,
    discount: voucherDiscount,
    commissionEarned,
    commissionApproved,
    commissionPaid,
  },
  shares: {
    conversion: { of: 'enrolled', among: 'submitted' },
    costPerEnrolled: { of: ['discount', 'commissionEarned'], among: 'enrolled', kind: 'money' },
  },
  filters: [
    ...(['year', 'affiliateId', 'waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId'] as const),
    ...(['from', 'to'] as const),
  ],
  year: 'current',
  columns: ['code', 'name', 'affiliate', 'voucher', 'usedAt', 'discount', 'commission', 'programme', 'track', 'stage'],
  chart: { kind: 'bars', of: ['submitted', 'enrolled'] },
})
