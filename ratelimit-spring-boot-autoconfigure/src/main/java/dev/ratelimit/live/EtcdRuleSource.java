package dev.ratelimit.live;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.store.Upkeep;

/**
 * Internal: live rules in etcd, each in a key {@code <prefix>rules/<id>}, which is only
 * read. Thread-safe.
 */
public final class EtcdRuleSource implements RuleSource {

	private static final Duration INTERVAL = Duration.ofMillis(500);

	private static final Duration RETRY = Duration.ofSeconds(1);

	private final EtcdSettings settings;

	private final Upkeep upkeep;

	private Optional<Reading> reading = Optional.empty();

	/**
	 * A source that is not read yet.
	 * @param settings where etcd is
	 * @param upkeep reads it
	 */
	public EtcdRuleSource(EtcdSettings settings, Upkeep upkeep) {
		this.settings = settings;
		this.upkeep = upkeep;
	}

	@Override
	public String name() {
		return "etcd";
	}

	@Override
	public void start(RuleSourceListener listener) {
		EtcdRules rules = new EtcdRules(new EtcdClient(this.settings), this.settings.prefix(), listener);
		Upkeep.Task rounds = this.upkeep.start(Duration.ZERO, () -> (rules.failing()) ? RETRY : INTERVAL,
				"Failed to read the rules from etcd", rules::look);
		replace(Optional.of(new Reading(rules, rounds)));
	}

	@Override
	public void close() {
		replace(Optional.empty());
	}

	private void replace(Optional<Reading> next) {
		Optional<Reading> former;
		synchronized (this) {
			former = this.reading;
			this.reading = next;
		}
		former.ifPresent((reading) -> {
			reading.rules().close();
			reading.rounds().close();
		});
	}

	private record Reading(EtcdRules rules, Upkeep.Task rounds) {
	}

}
