-- Returns what is left of a lease, once, while it lasts: later it was written off already.
-- KEYS  the bucket, its holders
-- ARGV  the holder's id, the time of the lease, units, how long a lease lasts in ms; then the bucket's own arguments
-- Reply the time, how many units were returned
local name, holders = ARGV[1], KEYS[2]
local leased = tonumber(call('ZSCORE', holders, '+' .. name) or 0)
if leased + ARGV[4] <= now then
	return { now, 0 }
end
local held = -tonumber(call('ZSCORE', holders, '-' .. name) or 0)
call('ZREM', holders, '+' .. name, '-' .. name)
call('ZINCRBY', holders, format('%d', held), 'total')
local units = math.min(tonumber(ARGV[3]), held)
if units > 0 then
	settle(KEYS[1], tonumber(ARGV[2]), -units, 5)
	save()
end
return { now, units }
