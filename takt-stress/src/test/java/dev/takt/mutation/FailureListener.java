package dev.takt.mutation;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Whether anything has failed, or nothing was run. */
final class FailureListener implements TestExecutionListener {
  private volatile boolean failed;
  private volatile boolean ran;

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    ran |= test.isTest();
    failed |= result.getStatus() != Status.SUCCESSFUL;
  }

  boolean hasFailed() {
    return failed || !ran;
  }
}
