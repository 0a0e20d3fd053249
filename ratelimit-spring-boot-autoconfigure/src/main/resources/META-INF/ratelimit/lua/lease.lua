-- Charges a request of which some charges lease units: takes all costs or none, then leases of what is left.
-- A bucket's holders are members of a sorted set: +<id> by the time of its last lease, -<id> by the units that it holds,
-- negative, and total by the sum of these. Holders with a recent lease share what is left. One holder has at most a
-- quarter of what all may hold, so that the next one finds some.
-- KEYS  the buckets; then the holders of each bucket that units are leased from
-- ARGV  how many buckets; then for each: - or s (shadow); algorithm; cost; units to lease, 0 for none; if there are
--       some: the holder's id, units that it still holds, how long a lease lasts in ms, the bucket's capacity, maximum of
--       units that all holders may have together; then the bucket's own arguments
-- Reply the time; 1 if allowed; for each bucket what was seen, and if units were to be leased, how many were
local function grant(lease)
	local at, holders = lease.at, lease.holders
	local name, held, pool = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 4])
	local total = -tonumber(call('ZSCORE', holders, 'total') or 0)
	local function forget(id)
		total = total + tonumber(call('ZSCORE', holders, '-' .. id) or 0)
		call('ZREM', holders, '+' .. id, '-' .. id)
	end
	-- If the clock was set back, no lease of others outlives a new one.
	local ahead = call('ZCOUNT', holders, format('(%d', now), '+inf')
	if ahead > 0 then
		for _, member in ipairs(call('ZRANGE', holders, -ahead, -1)) do
			call('ZADD', holders, format('%d', now), member)
		end
	end
	local ended = call('ZCOUNT', holders, '(0', format('%d', now - ARGV[at + 2]))
	if ended > 0 then
		local first = call('ZCARD', holders) - call('ZCOUNT', holders, '(0', '+inf')
		for _, member in ipairs(call('ZRANGE', holders, first, first + ended - 1)) do
			forget(string.sub(member, 2))
		end
	end
	forget(name)
	local drawing = call('ZCOUNT', holders, format('%d', now - ARGV[at + 2] / 6), '+inf') + 1
	local used = lease.algorithm.used(lease.key, lease.own)
	local share = math.floor((ARGV[at + 3] - used) / drawing)
	local units = math.max(0, math.min(lease.units, share, math.floor(pool / math.max(drawing, 4)) - held, pool - total - held))
	if units > 0 then
		local _, take = lease.algorithm.look(lease.key, units, lease.own, {})
		take()
	end
	call('ZADD', holders, format('%d', now), '+' .. name, format('%d', -held - units), '-' .. name,
		format('%d', -total - held - units), 'total')
	call('PEXPIRE', holders, format('%d', ARGV[at + 2] + 1000))
	return units
end

local count, at = tonumber(ARGV[1]), 2
local admitted, takes, leases, reply = true, {}, {}, { now, 0 }
for i = 1, count do
	local kind, algorithm, cost = ARGV[at], algorithms[ARGV[at + 1]], tonumber(ARGV[at + 2])
	local units, own = tonumber(ARGV[at + 3]), at + 4
	if units > 0 then
		own = at + 9
	end
	local fits, take = algorithm.look(KEYS[i], cost, own, reply)
	if cost > 0 then
		if fits then
			takes[#takes + 1] = take
		elseif kind == '-' then
			admitted = false
		end
	end
	if units > 0 then
		reply[#reply + 1] = 0
		leases[#leases + 1] = { algorithm = algorithm, key = KEYS[i], holders = KEYS[count + #leases + 1], units = units,
			at = at + 4, own = own, reply = #reply }
	end
	at = own + width
end
if not admitted then
	-- Nothing is taken; what a clock set back has left too far ahead may be cut.
	save()
	return reply
end

for _, take in ipairs(takes) do
	take()
end
for _, lease in ipairs(leases) do
	reply[lease.reply] = grant(lease)
end
save()
reply[2] = 1
return reply
