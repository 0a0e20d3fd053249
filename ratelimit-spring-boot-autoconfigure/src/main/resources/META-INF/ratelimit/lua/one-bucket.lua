-- Decides a demand for a cost above 0 on one bucket, without replay marker or shadow: what most are.
-- KEYS  the bucket
-- ARGV  the cost; the algorithm's own
-- Reply the time; 0 refused, 1 admitted; what was seen of the bucket
local key, cost, at = KEYS[1], ARGV[1], 2
--<look>
if fits then
--<take>
	return { now, 1, --<reply>
	}
end
return { now, 0, --<reply>
}
