package dev.ratelimit.live;

import java.util.Optional;

import org.springframework.context.SmartLifecycle;

/**
 * Internal: permits changes of rules and modes while the application runs. The first
 * rules become active before it starts. It can be restarted, because tests pause cached
 * contexts.
 */
public final class LiveLifecycle implements SmartLifecycle {

	private final Optional<LiveRules> rules;

	private final Switches switches;

	private final Optional<InstanceReport> report;

	private final LiveThread thread;

	private final Optional<Runnable> warmUp;

	private volatile boolean running;

	private boolean kept;

	LiveLifecycle(Optional<LiveRules> rules, Switches switches, Optional<InstanceReport> report, LiveThread thread,
			Optional<EffectiveRules> effective) {
		this.rules = rules;
		this.switches = switches;
		this.report = report;
		this.thread = thread;
		this.warmUp = effective.filter((present) -> rules.isPresent()).map((present) -> present::warmUp);
	}

	@Override
	public void start() {
		this.running = true;
		if (!this.kept) {
			this.rules.ifPresent((live) -> live.keep(this.switches));
			this.warmUp.ifPresent(this.thread::run);
			this.kept = true;
		}
		this.rules.ifPresent(LiveRules::start);
		this.switches.start();
		this.report.ifPresent(InstanceReport::start);
	}

	@Override
	public void stop() {
		this.report.ifPresent(InstanceReport::stop);
		this.switches.stop();
		this.rules.ifPresent(LiveRules::stop);
		this.thread.close();
		this.running = false;
	}

	// Starts before candidates, which are compared with the active rules.
	@Override
	public int getPhase() {
		return DEFAULT_PHASE - 1;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
