package dev.ratelimit.test.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Provides a test with a {@link TestBrowser}. If {@code chromium} or {@code chromedriver}
 * is not on the path, the test is skipped, or fails with {@code -Dtest.browser=required}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag("long")
@ExtendWith(BrowserExtension.class)
public @interface BrowserTest {

}
