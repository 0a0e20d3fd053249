package org.springframework.cloud.context.environment;

import java.util.Set;

import org.springframework.context.ApplicationEvent;

/**
 * Stands for the event of {@code spring-cloud-context}, which is known by name: with the
 * library itself, every test would run under its auto-configurations.
 */
public class EnvironmentChangeEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	public EnvironmentChangeEvent(Set<String> keys) {
		super(keys);
	}

}
