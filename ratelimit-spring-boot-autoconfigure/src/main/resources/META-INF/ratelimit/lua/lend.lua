-- Decides a demand of which some charges borrow: takes all costs or none, then lends of what is left.
-- A bucket's borrowers are members of a sorted set: +<id> by the time it has borrowed, -<id> by the units that it holds,
-- negative, and total by the sum of these. Those who have borrowed lately share what is left. Nobody holds more than a
-- quarter of what all may hold, so that there is something for who comes next.
-- KEYS  the buckets; then the borrowers of each bucket that is borrowed from
-- ARGV  how many buckets; then for each: - or s (shadow); algorithm; cost; units to borrow, 0 for none; where there are
--       some: the borrower's id, units that it holds still, how long a loan lasts in ms, the bucket's capacity, most units
--       that all borrowers may hold together; then what says which bucket it is
-- Reply the time; 1 if admitted; for each bucket what was seen, and where units were to be borrowed how many were
local function lend(loan)
	local at, borrowers = loan.at, loan.borrowers
	local name, held, pool = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 4])
	local total = -tonumber(call('ZSCORE', borrowers, 'total') or 0)
	local function forget(id)
		total = total + tonumber(call('ZSCORE', borrowers, '-' .. id) or 0)
		call('ZREM', borrowers, '+' .. id, '-' .. id)
	end
	local ended = call('ZCOUNT', borrowers, '(0', format('%d', now - ARGV[at + 2]))
	if ended > 0 then
		local first = call('ZCARD', borrowers) - call('ZCOUNT', borrowers, '(0', '+inf')
		for _, member in ipairs(call('ZRANGE', borrowers, first, first + ended - 1)) do
			forget(string.sub(member, 2))
		end
	end
	forget(name)
	local drawing = call('ZCOUNT', borrowers, format('%d', now - ARGV[at + 2] / 6), '+inf') + 1
	local used = loan.algorithm.used(loan.key, loan.own)
	local share = math.floor((ARGV[at + 3] - used) / drawing)
	local units = math.max(0, math.min(loan.units, share, math.floor(pool / math.max(drawing, 4)) - held, pool - total - held))
	if units > 0 then
		local _, take = loan.algorithm.look(loan.key, units, loan.own, {})
		take()
	end
	call('ZADD', borrowers, format('%d', now), '+' .. name, format('%d', -held - units), '-' .. name,
		format('%d', -total - held - units), 'total')
	call('PEXPIRE', borrowers, format('%d', ARGV[at + 2] + 1000))
	return units
end

local count, at = tonumber(ARGV[1]), 2
local admitted, takes, loans, reply = true, {}, {}, { now, 0 }
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
		loans[#loans + 1] = { algorithm = algorithm, key = KEYS[i], borrowers = KEYS[count + #loans + 1], units = units,
			at = at + 4, own = own, reply = #reply }
	end
	at = own + width
end
if not admitted then
	return reply
end

for _, take in ipairs(takes) do
	take()
end
for _, loan in ipairs(loans) do
	reply[loan.reply] = lend(loan)
end
save()
reply[2] = 1
return reply
