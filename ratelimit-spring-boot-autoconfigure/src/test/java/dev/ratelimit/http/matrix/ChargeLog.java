package dev.ratelimit.http.matrix;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.memory.MemoryLimitStore;

/**
 * The store of the application under test, which records the charges of each client.
 */
final class ChargeLog implements StoreStage {

	private static final Pattern CLIENT = Pattern.compile("10\\.\\d+\\.\\d+\\.\\d+");

	private final MemoryLimitStore memory = new MemoryLimitStore(1_000_000, System::currentTimeMillis);

	private final Map<String, Map<String, Charged>> clients = new ConcurrentHashMap<>();

	Charged of(String client, String rule) {
		return this.clients.getOrDefault(client, Map.of()).getOrDefault(rule, Charged.NOTHING);
	}

	/**
	 * Remove the charges that brought a client into a state.
	 * @param client the client
	 */
	void forget(String client) {
		this.clients.remove(client);
	}

	@Override
	public String name() {
		return "log";
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		return this.memory.acquire(request).thenApply((result) -> {
			for (int i = 0; i < request.charges().size(); i++) {
				if (result.taken(i)) {
					add(request.charges().get(i).bucket(), 1, request.charges().get(i).cost());
				}
			}
			return result;
		});
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		result.refunds().forEach((refund) -> add(refund.bucket(), 0, refund.units()));
		return this.memory.release(result);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		settlements.forEach((settlement) -> add(settlement.bucket(), 0, settlement.units()));
		return this.memory.settle(settlements);
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return this.memory.renew(held);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.memory.reset(buckets);
	}

	private void add(Bucket bucket, int times, long units) {
		Matcher client = CLIENT.matcher(bucket.subject());
		this.clients
			.computeIfAbsent((client.find()) ? client.group() : bucket.subject(), (name) -> new ConcurrentHashMap<>())
			.merge(bucket.family().policy().ruleId(), new Charged(times, units, List.of(bucket.subject())),
					Charged::and);
	}

	/**
	 * The charges of a client by a rule.
	 *
	 * @param times the number of requests
	 * @param units the number of charged units, less refunds
	 * @param subjects the subjects
	 */
	record Charged(int times, long units, List<String> subjects) {

		static final Charged NOTHING = new Charged(0, 0, List.of());

		/** Return whether a part of the key was missing in all subjects. */
		boolean hasNo(String part) {
			return this.subjects.stream().allMatch((subject) -> subject.contains(part + ":~none"));
		}

		Charged and(Charged other) {
			return new Charged(this.times + other.times, this.units + other.units,
					Stream.concat(this.subjects.stream(), other.subjects.stream()).distinct().toList());
		}

	}

}
