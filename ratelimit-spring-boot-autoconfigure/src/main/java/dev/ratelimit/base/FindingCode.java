package dev.ratelimit.base;

import java.util.Locale;

/**
 * The codes of findings. Each code has a section in {@code docs/doctor.md}.
 *
 * @since 0.1.0
 */
public enum FindingCode {

	/** Forwarded headers that are ignored. */
	UNTRUSTED_FORWARDING("RL001", "Forwarded headers arrive from a peer that is not trusted"),

	/** Clients that share one address. */
	ONE_ADDRESS("RL002", "All requests come from one address"),

	/** A list of proxies that contains all addresses. */
	TRUSTED_ANY_PEER("RL003", "Every peer is trusted as a proxy"),

	/** A rule without requests. */
	UNMATCHED_RULE("RL004", "A rule has matched no request"),

	/** A rule without effect. */
	REDUNDANT_RULE("RL005", "A rule has no effect: a broader rule is at least as strict"),

	/** A key that most requests lack. */
	MISSING_KEY("RL006", "Most requests lack the key of a rule"),

	/** Requests that are never allowed. */
	COST_ABOVE_CAPACITY("RL007", "Requests cost more than the capacity of their bucket"),

	/** A property that does not exist. */
	UNKNOWN_PROPERTY("RL008", "A property under 'ratelimit' does not exist", Severity.ERROR),

	/** A key that clients control. */
	CLIENT_CONTROLLED_KEY("RL009", "A rule uses a client-controlled key"),

	/** Clocks that differ. */
	CLOCK_SKEW("RL010", "The clocks of this instance and of Redis differ"),

	/** Rejections that browsers hide from pages. */
	REJECTION_WITHOUT_CORS("RL011", "Rejections of cross-origin requests have no CORS headers"),

	/** Requests that are counted twice. */
	TWO_LIMITERS("RL012", "Two limiters count one request"),

	/** A leased rule that always calls Redis. */
	IDLE_LEASE("RL013", "A leased rule cannot use leases"),

	/** Live rules that were rejected. */
	REJECTED_RULES("RL014", "A version of the live rules was rejected"),

	/** Rules that a switch changes. */
	ACTIVE_SWITCH("RL015", "A switch is active"),

	/** Live entries that do not apply to the rules of this instance. */
	OVERRIDE_NOT_APPLIED("RL016", "Live rules do not fit the rules of this instance"),

	/** A source that is not read. */
	SILENT_SOURCE("RL017", "The source of live rules is silent"),

	/** Paths that change after rules are matched. */
	REWRITTEN_PATH("RL018", "A filter rewrites paths after the rate limit filters"),

	/** A server that stops reading connections. */
	HANGING_CONNECTIONS("RL019", "This version of Reactor Netty may stop reading connections"),

	/** A rule whose requests can wait for longer than most clients do. */
	LONG_WAIT("RL020", "A rule lets requests wait for a long time"),

	/** Bans that the maximum per minute delays. */
	BAN_RATE_EXCEEDED("RL021", "A rule bans so many clients that new bans are held up"),

	/** A load guard with fewer seats than configured. */
	LOAD_THREADS("RL023", "The load guard is limited by the threads of the server"),

	/** Slots that no request can take. */
	UNUSED_RESERVE("RL024", "A rule reserves slots for a level that no request has"),

	/** Slots that were not released. */
	MAX_HOLD("RL025", "Slots of a rule were freed at 'max-hold'"),

	/** Levels that any client can set, or that are ignored. */
	UNTRUSTED_LEVELS("RL026", "The header with the level of requests comes from peers that should not be trusted"),

	/** Connections that are not limited. */
	UNCLAIMED_CONNECTIONS("RL027", "Upgraded requests did not become connections that hold slots"),

	/** Limits that regions do not share as they should. */
	REGIONS_DIFFER("RL028", "Regions cannot share a limit", Severity.ERROR),

	/** Counts of long periods that can be lost. */
	LOSSY_QUOTA("RL029", "A limit per day or longer is counted where counts can be lost"),

	/** A bucket that refills during its period. */
	REFILLED_QUOTA("RL030", "A limit per day or longer is a token bucket", Severity.HINT),

	/** Authentication of requests that no rule counts. */
	AUTHENTICATED_EXEMPT("RL031", "Requests that no rule counts are authenticated"),

	/** Probes that can be rejected. */
	PROBE_CREDENTIALS("RL032", "Requests for health present credentials"),

	/** A listener of the application that fails. */
	FAILING_LISTENER("RL034", "A listener of rule changes fails or is slow"),

	/** Content that occupies threads after a rejection. */
	SWALLOWED_CONTENT("RL035", "Tomcat reads the content of rejected requests on their threads");

	private static final String PAGE = "docs/doctor.md#";

	private final String id;

	private final String title;

	private final Severity severity;

	FindingCode(String id, String title) {
		this(id, title, Severity.WARNING);
	}

	FindingCode(String id, String title, Severity severity) {
		this.id = id;
		this.title = title;
		this.severity = severity;
	}

	/**
	 * Return the code of the finding.
	 * @return the code, such as {@code RL001}
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Return the title of the finding.
	 * @return the title
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Return the severity of the finding.
	 * @return the severity
	 */
	public Severity severity() {
		return this.severity;
	}

	/**
	 * Return the link to the documentation.
	 * @return the page and anchor in the project
	 */
	public String link() {
		return PAGE + this.id.toLowerCase(Locale.ROOT);
	}

	/**
	 * The severity of a finding.
	 */
	public enum Severity {

		/** The configuration works, but another one may be more suitable. */
		HINT,

		/** The configuration may not work as intended. */
		WARNING,

		/** A limit is not enforced as configured. */
		ERROR

	}

}
