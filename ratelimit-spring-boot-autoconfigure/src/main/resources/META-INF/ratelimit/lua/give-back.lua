-- Gives back what is left of a loan, once, while it lasts: what comes later was written off already.
-- KEYS  the bucket, its borrowers
-- ARGV  the borrower's id, the time of the loan, units, how long a loan lasts in ms; then what says
--       which bucket it is
-- Reply the time, how many units were taken back
local name, borrowers = ARGV[1], KEYS[2]
local borrowed = tonumber(call('ZSCORE', borrowers, '+' .. name) or 0)
if borrowed + ARGV[4] <= now then
	return { now, 0 }
end
local held = -tonumber(call('ZSCORE', borrowers, '-' .. name) or 0)
call('ZREM', borrowers, '+' .. name, '-' .. name)
call('ZINCRBY', borrowers, format('%d', held), 'total')
local units = math.min(tonumber(ARGV[3]), held)
if units > 0 then
	settle(KEYS[1], tonumber(ARGV[2]), -units, 5)
	save()
end
return { now, units }
