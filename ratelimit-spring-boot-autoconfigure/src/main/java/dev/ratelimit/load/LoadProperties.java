package dev.ratelimit.load;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.base.PropertyChecks;
import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationStyle;

/**
 * Internal: protection of this instance against more requests than it can process, below
 * {@code ratelimit.load}.
 *
 * @param enabled Whether to limit the number of requests that are processed at a time.
 * @param mode Whether to shed requests (enforce), or only count those that find no seat
 * (shadow).
 * @param phase When requests take a seat: before authentication (early) or after it
 * (late).
 * @param limit Number of seats: adaptive, or a number.
 * @param min Lowest adaptive limit.
 * @param initial First adaptive limit.
 * @param max Highest adaptive limit. On platform threads, at most half the server's
 * threads.
 * @param queue Requests that wait for a seat.
 * @param levels Shares of the seats by level, in percent, together at most 100.
 * @param reserve Share of the seats that only critical requests take, such as 10%.
 * @param classify Levels of requests; the first that matches applies.
 * @param header Request header with the level, from trusted upstreams.
 * @param trustedUpstreams Addresses and networks of the peers whose header is believed.
 * @param utilization Whole levels that are shed if the seats are used too much for long.
 */
@ConfigurationProperties(prefix = "ratelimit.load", ignoreUnknownFields = false)
record LoadProperties(@DefaultValue("false") boolean enabled, @DefaultValue("enforce") RuleMode mode,
		@DefaultValue("early") Phase phase, @DefaultValue("adaptive") String limit, @DefaultValue("10") int min,
		@DefaultValue("20") int initial, @DefaultValue("1000") int max, @DefaultValue Queue queue,
		@DefaultValue Map<Level, Integer> levels, @DefaultValue("10%") String reserve,
		@DefaultValue List<Classification> classify, @Nullable String header,
		@DefaultValue List<String> trustedUpstreams, @DefaultValue Utilization utilization) {

	private static final String ADAPTIVE = "adaptive";

	private static final String AUTO = "auto";

	private static final List<IpAddress> LOOPBACK = List.of(IpAddress.parse("127.0.0.1"), IpAddress.parse("::1"));

	LoadProperties {
		classify = List.copyOf(classify);
		trustedUpstreams = List.copyOf(trustedUpstreams);
		require(mode != RuleMode.OFF, "mode", "off", "requests are shed or only counted",
				"Use enforce or shadow, or set 'ratelimit.load.enabled' to false.");
		require(phase != Phase.AUTO, "phase", "auto", "the guard belongs to one phase", "Use early or late.");
		require(limit.equals(ADAPTIVE) || isNumber(limit), "limit", limit, "it is neither a number nor adaptive",
				"Use adaptive, or a number of seats such as 50.");
		require(isNumber(percent(reserve)), "reserve", reserve, "it is not a percentage",
				"Set the share of the seats for critical requests, such as 10%.");
		require(isNumber(percent(utilization.shedAbove())), "utilization.shed-above", utilization.shedAbove(),
				"it is not a percentage", "Set a share of the seats, such as 80%.");
		require(isNumber(percent(utilization.restoreBelow())), "utilization.restore-below", utilization.restoreBelow(),
				"it is not a percentage", "Set a share of the seats, such as 70%.");
		require(header == null || !trustedUpstreams.isEmpty(), "header", String.valueOf(header),
				"without 'trusted-upstreams', any client could call itself critical",
				"Set 'ratelimit.load.trusted-upstreams' to the peers that always set or remove it.");
		require(header != null || trustedUpstreams.isEmpty(), "trusted-upstreams", trustedUpstreams.toString(),
				"without 'header', there is nothing to believe them", "Set 'ratelimit.load.header', or remove it.");
		requireLate(phase, queue, classify);
	}

	private static void requireLate(Phase phase, Queue queue, List<Classification> classify) {
		boolean early = phase == Phase.EARLY;
		require(!early || queue.flow() != Flow.CALLER, "queue.flow", "caller",
				"clients are not authenticated in the early phase", "Set 'ratelimit.load.phase' to late, or use ip.");
		for (int i = 0; i < classify.size(); i++) {
			Classification entry = classify.get(i);
			String name = "classify[" + i + "]";
			require(!early || entry.authority() == null, name + ".authority", String.valueOf(entry.authority()),
					"authorities are not known in the early phase",
					"Set 'ratelimit.load.phase' to late, or classify by paths.");
			require(entry.level() != null || entry.longLived(), name, "no level", "it says nothing about its requests",
					"Set 'level', 'long-lived', or both.");
			require(entry.authority() != null || !entry.paths().isEmpty(), name, "no paths",
					"it does not say which requests it is about", "Set 'paths' or 'authority'.");
		}
	}

	private static void require(boolean condition, String name, Object value, String reason, String action) {
		PropertyChecks.require(condition, "load." + name, value, reason, action);
	}

	private static boolean isNumber(String text) {
		return !text.isEmpty() && text.length() < 7 && text.chars().allMatch(Character::isDigit);
	}

	private static String percent(String text) {
		return (text.endsWith("%")) ? text.substring(0, text.length() - 1) : text;
	}

	LoadSettings settings() {
		Map<Level, Integer> shares = new EnumMap<>(LoadSettings.SHARES);
		shares.putAll(this.levels);
		try {
			return new LoadSettings(this.mode == RuleMode.SHADOW,
					(this.limit.equals(ADAPTIVE)) ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(this.limit)),
					new LimitRange(this.min, this.initial, this.max), this.queue.length(), this.queue.longest(), shares,
					Integer.parseInt(percent(this.reserve)), this.utilization.settings());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException("ratelimit.load", this.toString(), String.valueOf(ex.getMessage()),
					"Correct the properties below 'ratelimit.load'.");
		}
	}

	IpNetworks upstreams() {
		try {
			return IpNetworks.of(this.trustedUpstreams);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException("ratelimit.load.trusted-upstreams", this.trustedUpstreams.toString(),
					String.valueOf(ex.getMessage()), "Use addresses and networks, such as 10.1.0.0/16.");
		}
	}

	// All requests through a sidecar come from a local address.
	List<String> localUpstreams() {
		return this.trustedUpstreams.stream().filter(LoadProperties::isLocal).toList();
	}

	private static boolean isLocal(String network) {
		IpNetworks networks = IpNetworks.of(List.of(network));
		return LOOPBACK.stream().anyMatch(networks::contains);
	}

	/**
	 * Requests that wait for a seat.
	 *
	 * @param length Maximum number of requests that wait for a seat.
	 * @param maxWait Maximum time a request waits for a seat: auto, or a duration. By
	 * default, twice the mean duration of requests, from 20ms to 400ms; with a fixed
	 * {@code limit}, 100ms.
	 * @param flow How to identify clients that wait: by address ('ip'), or by name
	 * ('caller', with phase: late).
	 */
	record Queue(@DefaultValue("200") int length, @DefaultValue("auto") String maxWait, @DefaultValue("ip") Flow flow) {

		Queue {
			PropertyChecks.require(maxWait.equals(AUTO) || isDuration(maxWait), "load.queue.max-wait", maxWait,
					"it is neither a duration nor auto", "Use auto, or a duration such as 50ms.");
		}

		private static boolean isDuration(String text) {
			try {
				return !DurationStyle.detectAndParse(text).isNegative();
			}
			catch (IllegalArgumentException ex) {
				return false;
			}
		}

		Optional<Duration> longest() {
			return (this.maxWait.equals(AUTO)) ? Optional.empty()
					: Optional.of(DurationStyle.detectAndParse(this.maxWait));
		}

	}

	/**
	 * Whole levels that are shed if the seats are used too much for long.
	 *
	 * @param enabled Whether to shed whole levels, the lowest first. Requires a number as
	 * limit.
	 * @param shedAbove Utilization of the seats from which on levels are shed.
	 * @param restoreBelow Utilization of the seats below which they are taken back.
	 * @param delay How long all seats must be in use until the first request is shed.
	 * @param ramp How long all seats must be in use after that until only critical
	 * requests are left.
	 */
	record Utilization(@DefaultValue("false") boolean enabled, @DefaultValue("80%") String shedAbove,
			@DefaultValue("70%") String restoreBelow, @DefaultValue("28s") Duration delay,
			@DefaultValue("2m") Duration ramp) {

		private Optional<UtilizationSettings> settings() {
			return (this.enabled) ? Optional.of(new UtilizationSettings(Integer.parseInt(percent(this.shedAbove)),
					Integer.parseInt(percent(this.restoreBelow)), this.delay, this.ramp)) : Optional.empty();
		}

	}

	/**
	 * The ways to identify clients that wait for a seat.
	 */
	enum Flow {

		/** By address. */
		IP,

		/** By name if authenticated, otherwise by address. */
		CALLER

	}

	/**
	 * Level of some requests.
	 *
	 * @param paths Path patterns of the requests, after the context path.
	 * @param authority Authority of the clients, with phase: late.
	 * @param level Level of the requests.
	 * @param longLived Whether the requests keep no seat because they mostly wait, such
	 * as long polls.
	 */
	record Classification(@DefaultValue List<String> paths, @Nullable String authority, @Nullable Level level,
			@DefaultValue("false") boolean longLived) {

	}

}
