package dev.ratelimit.autoconfigure;

import org.springframework.beans.factory.InitializingBean;

/**
 * Internal: a check at startup. Its bean is initialized at startup even if the
 * application initializes beans later, because an invalid application must not start.
 */
@FunctionalInterface
public interface StartCheck extends InitializingBean {

}
