package dev.ratelimit.autoconfigure;

import org.springframework.beans.factory.InitializingBean;

/**
 * Internal: a check at startup. Its bean is initialized at startup even if the
 * application initializes beans later, as an application that has to fail must not start.
 */
@FunctionalInterface
public interface StartCheck extends InitializingBean {

}
